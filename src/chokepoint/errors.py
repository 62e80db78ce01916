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
    if len(text) > LONGEST:
        half = LONGEST // 2
        text = f"{text[:half]} … {text[-half:]}"
    words = " ".join(text.split())
    return words if words.isprintable() else words.encode("unicode_escape").decode()


class IllegalMove(InputError):
    """An attack on a square that is not active. The games are left as they were."""


class ChokepointWarning(UserWarning):
    """Something worth knowing that does not stop the work."""
