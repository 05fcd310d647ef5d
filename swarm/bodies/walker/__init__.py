"""The walker body: people on a floor plan of cells."""
