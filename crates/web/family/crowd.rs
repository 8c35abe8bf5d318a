//! The module of the family `crowd`: mutual avoidance and right of way.

sentir_web::family!(CROWD);
