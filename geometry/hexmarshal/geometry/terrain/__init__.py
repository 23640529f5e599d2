"""The ground: maps with their terrain, outlines, boards, and the files that hold them."""
