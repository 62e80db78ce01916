"""The database of the web game: its tables, their history, and how it is opened and used."""
