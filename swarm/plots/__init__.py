"""Pictures and videos of worlds and flights, drawn without a display; imported only when one is asked for."""
