"""Names and titles that visitors give: what is kept of them."""

import unicodedata

from chokepoint.errors import InputError


def clean_text(text: str, longest: int, what: str) -> str:
    """The text without control characters and needless blanks; too long or empty is refused."""
    if len(text) > 4 * longest:
        raise InputError(f"{what} has {len(text)} characters; at most {longest} are allowed")
    plain = unicodedata.normalize("NFC", text)
    # Cc control, Cf invisible or direction-changing, Cs/Co/Cn no characters, Zl/Zp line breaks
    kept = (" " if unicodedata.category(c)[0] in "CZ" else c for c in plain)
    tidy = " ".join("".join(kept).split())
    if len(tidy) > longest:
        raise InputError(f"{what} has {len(tidy)} characters; at most {longest} are allowed")
    if not tidy:
        raise InputError(f"{what} is empty; give 1 to {longest} characters that can be seen")
    return tidy
