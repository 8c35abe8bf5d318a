#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sentir_fuzz::feed("scene_state", bytes));
