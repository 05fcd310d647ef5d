"""Triangle meshes: from files to distances."""
