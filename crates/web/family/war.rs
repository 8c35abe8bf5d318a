//! The module of the family `war`: a small real-time strategy game.

sentir_web::family!(WAR);
