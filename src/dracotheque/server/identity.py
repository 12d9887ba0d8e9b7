"""Identity: guests are known by a signed cookie, invitations and personal keys are signed tokens.

Everything is derived from one secret of the database, so nothing more has to be kept, and each is checked in constant
time. A cookie, a key and an invitation are never valid as one another.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

COOKIE = "dracotheque_guest"
COOKIE_AGE = 400 * 86_400  # the longest that browsers keep one


def new_guest() -> str:
    """Name a guest that has just come, by 128 random bits."""
    return secrets.token_hex(16)


class TokenSigner:
    """Makes and checks what only this server can have written."""

    def __init__(self, secret: bytes) -> None:
        """Take the secret of the database."""
        self.secret = secret

    def _seal(self, kind: str, *parts: str) -> str:
        """Seal some words with 128 bits."""
        digest = hmac.digest(self.secret, "\0".join((kind, *parts)).encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    def _opened(self, kind: str, sealed: str) -> str:
        """Return the guest that a cookie or key names; None where its signature is not ours."""
        guest, _, seal = sealed.partition(".")
        genuine = hmac.compare_digest(self._seal(kind, guest).encode(), seal.encode())
        return guest if genuine and len(guest) == 32 else ""

    def cookie(self, guest: str) -> str:
        """Write a guest's cookie."""
        return f"{guest}.{self._seal('cookie', guest)}"

    def guest(self, cookie: str) -> str:
        """Read a cookie."""
        return self._opened("cookie", cookie)

    def key(self, guest: str) -> str:
        """Write the key that makes another device a guest's."""
        return f"{guest}.{self._seal('key', guest)}"

    def guest_with(self, key: str) -> str:
        """Read a key."""
        return self._opened("key", key)

    def invitation(self, table: str, seat: int) -> str:
        """Write the invitation to a seat."""
        return self._seal("invitation", table, str(seat))

    def invites(self, invitation: str, table: str, seat: int) -> bool:
        """Return whether an invitation is the one to a seat."""
        return hmac.compare_digest(self.invitation(table, seat).encode(), invitation.encode())
