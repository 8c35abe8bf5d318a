//! The module of the family `space`: visibility, influence, environment queries, cover.

sentir_web::family!(SPACE);
