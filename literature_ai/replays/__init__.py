"""Recorded games for a page: stepped through as each viewer sees them, valued, and tried otherwise.

`viewing` is a moment as a viewer knows it, `what_if` what another ask or claim would prove there,
`kept` the records that a server keeps, and `valuing` finds the engine's values in the background.
Nothing here knows of pages.
"""
