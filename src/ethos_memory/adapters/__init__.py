"""This memory in other frameworks: one file and one extra for each.

A file imports its framework and nothing else does. Without it the import raises
`MissingExtraError`, which names the extra to install.
"""
