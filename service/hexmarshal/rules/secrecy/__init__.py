"""What sides may not know: who is told of an action, stacks under counters, sight not free."""
