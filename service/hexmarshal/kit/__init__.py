"""What every game needs and none should write: drawing, building the module, data, offers.

`drawing` makes pictures of counters, markers, boxes, charts and cards, `ground` those of maps,
`module` a VASSAL module from declarations, `data` reads a game's files, a user's own among them.
"""
