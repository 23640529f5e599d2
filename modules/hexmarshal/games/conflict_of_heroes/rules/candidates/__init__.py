"""What may be chosen for each slot of an action, narrowed to what makes sense at all.

An action says first who acts and how that is paid for, then what is done. Where a slot has one way
to be left as it is, that is the only candidate: nobody is asked.
"""
