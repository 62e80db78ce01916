"""The routes of the API, a file for each thing that a visitor does."""
