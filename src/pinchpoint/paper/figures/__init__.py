"""Draw result rows and games. Only this package uses matplotlib."""
