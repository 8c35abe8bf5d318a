//! The module of the family `vision`: synthetic vision.

sentir_web::family!(VISION);
