//! The module of the family `horde`: zombies in rounds, and the bot that measures their minds.

sentir_web::family!(HORDE);
