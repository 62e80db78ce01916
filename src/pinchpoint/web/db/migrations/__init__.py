"""The history of the tables, one file a step; opening a database brings it up to date."""
