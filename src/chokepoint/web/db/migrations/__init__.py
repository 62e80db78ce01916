"""The history of the tables, one file a step; `chokepoint serve` brings a database up to date."""
