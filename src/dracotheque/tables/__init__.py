"""Tables: games that people and bots play together, live or over days."""
