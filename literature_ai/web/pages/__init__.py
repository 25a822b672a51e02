"""The pages: each module has the ``routes`` of one, see `literature_ai.web.site`."""
