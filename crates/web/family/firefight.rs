//! The module of the family `firefight`: soldiers against a player.

sentir_web::family!(FIREFIGHT);
