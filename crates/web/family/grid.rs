//! The module of the family `grid`: searches on tile grids.

sentir_web::family!(GRID);
