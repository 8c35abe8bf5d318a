//! The module of the family `steering`: steering behaviors, locomotion, flocks.

sentir_web::family!(STEERING);
