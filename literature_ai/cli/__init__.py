"""The commands of the ``literature`` command line, one module each."""
