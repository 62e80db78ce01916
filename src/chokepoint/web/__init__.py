"""The game in the browser: a server that owns rules and state, a database, and the page."""
