//! The module of the family `combat`: the rules of fighting.

sentir_web::family!(COMBAT);
