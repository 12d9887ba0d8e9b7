"""HTTP and WebSocket: requests, identity and responses; the logic of tables is in `tables`."""
