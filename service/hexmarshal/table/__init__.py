"""The table: what joins the pieces of a module and a position of the rules, both ways."""
