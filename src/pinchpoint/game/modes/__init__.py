"""The modes, one file a rule. `table` names them and adds a user's own."""
