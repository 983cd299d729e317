"""Describes MuJoCo's structs, from the engine's tables."""
