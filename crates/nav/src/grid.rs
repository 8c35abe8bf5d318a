//! Tile grids: terrain with tags, a cost per tag and kind of unit, and the searches on them.
