"""The page, driven in a real Chromium against a real server."""
