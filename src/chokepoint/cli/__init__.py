"""The commands, one file each: a frozen dataclass `Options` and a function `run(options)`."""
