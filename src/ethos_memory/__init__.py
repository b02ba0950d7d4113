"""Memory for agents, kept in files that people can read."""
