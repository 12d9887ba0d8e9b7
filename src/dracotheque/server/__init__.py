"""HTTP and WebSocket, nothing else: who asks, what they ask for, and what they are answered."""
