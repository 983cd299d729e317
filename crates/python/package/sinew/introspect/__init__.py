"""What the engine's tables say about MuJoCo's structs."""
