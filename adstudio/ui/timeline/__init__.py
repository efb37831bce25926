"""The timeline: everything of the film along one axis of time, painted by one widget over sorted rows."""
