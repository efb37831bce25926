"""The application and its window: start and end, layouts, docks, dialogs that belong to no panel."""
