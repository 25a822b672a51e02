"""Pages: what is served in a browser, and the HTML files of reports and reviews."""
