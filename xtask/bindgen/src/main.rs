//! Makes the JavaScript module of a `.wasm` file: `sentir_bindgen IN.wasm OUT-FOLDER NAME`.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [wasm, folder, name] = &words[..] else {
        eprintln!("usage: sentir_bindgen IN.wasm OUT-FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    // A module that knows where its own `.wasm` is.
    bindgen.input_path(wasm).out_name(name).typescript(true).omit_default_module_path(false);
    // Names of functions would be a tenth of what a page loads, and are of no use without the sources.
    bindgen.remove_name_section(true).remove_producers_section(true);
    match bindgen.web(true).and_then(|bindgen| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
