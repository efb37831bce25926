from picture_fixtures import clip, edit

__all__ = ["clip", "edit"]
