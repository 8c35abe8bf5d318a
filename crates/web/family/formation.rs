//! The module of the family `formation`: formations, roles, columns.

sentir_web::family!(FORMATION);
