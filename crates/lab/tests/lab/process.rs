//! How the tests call the program, and where they keep their files.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for a test, gone afterwards.
pub struct Folder(pub PathBuf);

impl Folder {
    /// Named after the test: two tests need two names.
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("sentir-test-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    pub fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// A file with this content; gives its path.
    pub fn with(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        std::fs::write(self.0.join(name), content).unwrap();
        self.file(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program, to be called.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sentir"))
}

pub fn sentir(arguments: &[&str]) -> Output {
    program().args(arguments).output().unwrap()
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a call that must work.
pub fn done(arguments: &[&str]) -> String {
    let output = sentir(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "nothing but the answer in a pipe");
    text(&output.stdout)
}

/// The same, as the object that it is.
pub fn object(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(arguments)).unwrap()
}

/// The sentence of a call that must fail with this code.
pub fn refused(arguments: &[&str], code: i32) -> String {
    let output = sentir(arguments);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
    error
}
