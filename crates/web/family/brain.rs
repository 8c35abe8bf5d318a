//! The module of the family `brain`: every kind of brain.

sentir_web::family!(BRAIN);
