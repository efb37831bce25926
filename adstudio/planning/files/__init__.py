"""Problems and plans as JSON files (DESIGN section 5)."""
