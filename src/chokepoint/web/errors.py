"""What a visitor can get wrong, each with the HTTP status it is answered with."""

from chokepoint.errors import InputError


class WebError(InputError):
    """A request that cannot be granted; the message is one sentence for the visitor."""

    status = 422


class NotFound(WebError):
    status = 404


class Forbidden(WebError):
    status = 403


class Conflict(WebError):
    """The request does not fit the state of the game, for example a wrong turn or ply."""

    status = 409


class Busy(WebError):
    """Too much is asked for at once; the same request may be granted later."""

    status = 429
