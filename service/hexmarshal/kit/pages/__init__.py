"""Pages of simple HTML, as VASSAL's own viewer shows them: guides, rules, charts."""
