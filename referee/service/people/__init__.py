"""Tables, and who is at them: seats, hosts, tokens, newcomers, the operator."""
