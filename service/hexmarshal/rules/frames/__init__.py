"""Pending decisions: what play waits for, as a stack of typed frames in the position.

`frame` has the values, `declared` what a game says about its kinds of frames, `effects` how they
come, change and go, `standing` what a side answers before it is asked, `checking` what is wrong
with frames and extras that came from outside.
"""

from hexmarshal.rules.frames.declared import FrameTable, FrameType, ItemType, Silence
from hexmarshal.rules.frames.frame import Decider, Frame, Resume

__all__ = ["Decider", "Frame", "FrameTable", "FrameType", "ItemType", "Resume", "Silence"]
