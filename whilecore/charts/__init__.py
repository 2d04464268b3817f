"""The pictures of the lessons; importing them needs altair and anywidget."""
