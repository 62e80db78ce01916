"""The command line: parse, call one function, print. One file a command; `main` finds it."""
