"""The booth: takes are recorded against the picture, listened to, trimmed and chosen."""
