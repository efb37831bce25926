"""From a film's files to a planned script: video, subtitles and candidates put together."""
