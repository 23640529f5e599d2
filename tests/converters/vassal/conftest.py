"""The games and modules of several rooms are beside this file, where their tests find them."""
