"""The rules as data, one file for each family."""
