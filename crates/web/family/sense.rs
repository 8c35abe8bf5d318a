//! The module of the family `sense`: senses and honesty.

sentir_web::family!(SENSE);
