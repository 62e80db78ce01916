"""The errors a user can cause. Each message is one sentence: what was wrong, what is allowed."""


class InputError(ValueError):
    """A user's mistake. The command line prints it and exits with code 2; the web answers 4xx."""


class IllegalMove(InputError):
    """An attack on a square that is not active. The games are left as they were."""


class ChokepointWarning(UserWarning):
    """Something worth knowing that does not stop the work."""
