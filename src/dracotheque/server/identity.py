"""Identity: guests are known by a signed cookie, invitations and personal keys are signed tokens.

All are signed with one secret of the database, so nothing else is stored; signatures are compared in constant time.
A cookie, a key and an invitation are never valid as one another.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

COOKIE = "dracotheque_guest"
COOKIE_AGE = 400 * 86_400  # the longest that browsers keep one


def new_guest() -> str:
    """Return a new guest id of 128 random bits."""
    return secrets.token_hex(16)


class TokenSigner:
    """Signs and verifies cookies, keys and invitations."""

    def __init__(self, secret: bytes) -> None:
        """Take the secret of the database."""
        self.secret = secret

    def _signature(self, kind: str, *parts: str) -> str:
        """Return the signature of some texts, 128 bits."""
        digest = hmac.digest(self.secret, "\0".join((kind, *parts)).encode(), hashlib.sha256)
        return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")

    def _verified(self, kind: str, token: str) -> str:
        """Return the guest of a cookie or key; an empty text if its signature is wrong."""
        guest, _, signature = token.partition(".")
        genuine = hmac.compare_digest(self._signature(kind, guest).encode(), signature.encode())
        return guest if genuine and len(guest) == 32 else ""

    def cookie(self, guest: str) -> str:
        """Return a guest's cookie."""
        return f"{guest}.{self._signature('cookie', guest)}"

    def guest(self, cookie: str) -> str:
        """Return the guest of a cookie, or an empty text."""
        return self._verified("cookie", cookie)

    def key(self, guest: str) -> str:
        """Return the key that signs a guest in on another device."""
        return f"{guest}.{self._signature('key', guest)}"

    def guest_with(self, key: str) -> str:
        """Return the guest of a key, or an empty text."""
        return self._verified("key", key)

    def invitation(self, table: str, seat: int) -> str:
        """Return the invitation to a seat."""
        return self._signature("invitation", table, str(seat))

    def invites(self, invitation: str, table: str, seat: int) -> bool:
        """Return whether an invitation is the one to a seat."""
        return hmac.compare_digest(self.invitation(table, seat).encode(), invitation.encode())
