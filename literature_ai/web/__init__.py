"""HTML pages: templates, the style sheet they share, and their rendering."""
