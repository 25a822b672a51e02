"""The commands of the command line that are about tournaments."""
