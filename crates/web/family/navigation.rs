//! The module of the family `navigation`: navigation meshes and tactical paths.

sentir_web::family!(NAVIGATION);
