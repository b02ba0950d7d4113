"""Checks on what surrounds the files: permissions, the disk, the config."""
