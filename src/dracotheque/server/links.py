"""Links to this server, and the QR codes that carry them."""

from __future__ import annotations

import segno

from dracotheque.server.http import RequestContext
from dracotheque.tables.errors import CommandError


def absolute_url(caller: RequestContext, path: str) -> str:
    """Return the URL of a path, with the host that the caller's browser uses or the configured one."""
    base = caller.service.public_url or str(caller.request.base_url)
    return base.rstrip("/") + path


def qr_code(text: str) -> str:
    """Return a QR code as SVG, dark on light in either theme, as cameras need it."""
    try:
        code = segno.make(text, error="m")
    except segno.DataOverflowError as error:  # the caller's Host header is as long as the caller likes
        raise CommandError("too_long") from error
    return code.svg_inline(scale=4, border=2, dark="#2a2018", light="#fffaf0", omitsize=True)
