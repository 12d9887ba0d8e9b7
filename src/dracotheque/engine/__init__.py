"""What every game is made of: rules, dispatch, chance, states and logs. Nothing here knows a game."""
