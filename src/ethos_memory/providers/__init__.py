"""Where memory is kept, one file each, all under the contract of `provider`."""
