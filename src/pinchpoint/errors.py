"""The errors a user can cause. Each message is one sentence: what was wrong, what is allowed."""

LONGEST = 400  # characters of a message


class InputError(ValueError):
    """A user's mistake. The command line prints it and exits with code 2; the web answers 4xx.

    Messages quote what was given, which may be anything: what a terminal would obey is escaped, and
    the middle of what is too long is left out.
    """

    def __init__(self, *parts: object) -> None:
        super().__init__(*(_sentence(part) if isinstance(part, str) else part for part in parts))


def _sentence(text: str) -> str:
    words = " ".join(_shortened(text).split())
    return _shortened(printable(words))  # escapes are longer than what they stand for


def _shortened(text: str) -> str:
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"


def printable(text: str) -> str:
    """Return text from somebody else's file with what a terminal would obey escaped."""
    return text if text.isprintable() else text.encode("unicode_escape").decode()


class IllegalMove(InputError):
    """An attack on a square that is not active. The games are left as they were."""


class FoundWrong(Exception):
    """Something was checked and is wrong. The command line prints it and exits with code 1."""


class PinchpointWarning(UserWarning):
    """Something worth knowing that does not stop the work."""
