//! `cargo xtask studio`: builds the page with its engine and serves it on loopback. The built page is plain files in
//! `web/dist`, which any web server can serve; ours is for looking at it at home: one request after the other, GET only.
//!
//! [`check`] runs the page in Debian's Chromium and holds what it plays against the native program.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::workspace::array;
use crate::{Failure, package, process};

const PAGE: &str = "web";
const BUILT: &str = "web/dist";
const SCRIPT: &str = "web/test/browser.mjs";
const PORT: u16 = 4173;
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Bytes of a request line that are read; more is no request of a browser's.
const REQUEST_BYTES_MAX: u64 = 16 << 10;

/// Builds and serves until it is stopped.
pub fn studio(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let port = port(arguments)?;
    build(root)?;
    let listener = TcpListener::bind(("127.0.0.1", port))
        .map_err(|error| format!("port {port} cannot be served: {error}; choose another with --port"))?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    println!("the studio is at http://{address}/ (Ctrl-C ends it)");
    let folder = root.join(BUILT);
    for stream in listener.incoming().flatten() {
        // A browser that leaves in the middle is no reason to stop.
        let _ = serve(&folder, &stream);
    }
    Ok(())
}

fn port(arguments: &[String]) -> Result<u16, Failure> {
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(PORT),
        ["--port", number] => number
            .parse()
            .map_err(|_| Failure::Usage(format!("--port needs a number from 0 to 65535, but got '{number}'"))),
        ["--port"] => Err(Failure::Usage("--port needs a number from 0 to 65535".to_owned())),
        [other, ..] => Err(Failure::Usage(format!("there is no option '{other}' of studio; expected --port"))),
    }
}

/// Builds engine and page.
fn build(root: &Path) -> Result<(), String> {
    package::build(root)?;
    let page = root.join(PAGE);
    let npm = |words: &[&str]| process::run(Command::new("npm").args(words).current_dir(&page));
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "build"])
}

/// Builds the page, tries it in a browser, and compares what it played with the native program.
pub fn check(root: &Path) -> Result<(), String> {
    build(root)?;
    let browser = browser()?;
    let pictures = package::target_folder(root)?.join("studio");
    let mut command = Command::new("node");
    command.arg(root.join(SCRIPT)).arg(root.join(BUILT)).arg(browser).arg(&pictures);
    let report = process::capture_watched(&mut command)?;
    let report: Value = serde_json::from_str(&report).map_err(|error| format!("{SCRIPT} is unreadable: {error}"))?;
    let scenes = array(&report, "scenes");
    if scenes.is_empty() {
        return Err("the page lists no scene".to_owned());
    }
    let native = package::native(root)?;
    scenes.iter().try_for_each(|scene| package::same_hash(&native, scene))?;
    println!("{} scenes play in the browser as natively; pictures are in {}", scenes.len(), pictures.display());
    Ok(())
}

/// A browser of this machine; Debian's is installed where there is none and we may.
fn browser() -> Result<PathBuf, String> {
    let found = || BROWSERS.iter().find(|name| process::capture(Command::new(name).arg("--version")).is_ok());
    if found().is_none() {
        process::run(Command::new("apt-get").args(["install", "-y", "chromium"]))
            .map_err(|error| format!("{error}\ninstall Chromium, with `chromium` on the path"))?;
    }
    let name = found().ok_or("Chromium is missing; install it, with `chromium` on the path")?;
    let path = process::capture(Command::new("sh").args(["-c", &format!("command -v {name}")]))?;
    Ok(PathBuf::from(path.trim()))
}

/// Answers one request.
fn serve(folder: &Path, mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(std::time::Duration::from_secs(2)))?;
    let mut request = String::new();
    BufReader::new(std::io::Read::take(stream, REQUEST_BYTES_MAX)).read_line(&mut request)?;
    let file = place(&request).and_then(|path| Some((kind(&path), std::fs::read(folder.join(path)).ok()?)));
    let (status, kind, body) = match file {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", b"there is no such page".to_vec()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    )?;
    stream.write_all(&body)
}

/// The file that a request line asks for, inside the folder; none if it asks for anything else.
fn place(request: &str) -> Option<PathBuf> {
    let mut words = request.split_whitespace();
    let ("GET", Some(target)) = (words.next()?, words.next()) else { return None };
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = Path::new(if path.is_empty() { "index.html" } else { path });
    path.components().all(|part| matches!(part, Component::Normal(_))).then(|| path.to_owned())
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn only_files_inside_the_folder_are_served() {
        assert_eq!(place("GET / HTTP/1.1"), Some(PathBuf::from("index.html")));
        assert_eq!(place("GET /assets/a.js?v=1 HTTP/1.1"), Some(PathBuf::from("assets/a.js")));
        for request in ["GET /../Cargo.toml HTTP/1.1", "GET //etc/passwd HTTP/1.1", "POST / HTTP/1.1", "", "GET"] {
            assert_eq!(place(request), None, "{request}");
        }
    }

    #[test]
    fn a_file_comes_with_its_type_and_what_is_missing_with_a_sentence() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let ask = |path: &str| {
            let mut stream = TcpStream::connect(address).expect("a connection");
            write!(stream, "GET {path} HTTP/1.1\r\n\r\n").expect("asked");
            serve(Path::new(env!("CARGO_MANIFEST_DIR")), &listener.accept().expect("taken").0).expect("served");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).map(|_| answer).unwrap_or_default()
        };
        let answer = ask("/node/probe.mjs");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("usage: node probe.mjs"), "{answer}");
        assert!(ask("/nothing.js").starts_with("HTTP/1.1 404"));
    }

    #[test]
    fn the_port_is_a_number() {
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(port(&words("--port 8080")), Ok(8080));
        assert_eq!(port(&[]), Ok(PORT));
        for line in ["--port", "--port many", "--prot 1"] {
            assert!(matches!(port(&words(line)), Err(Failure::Usage(_))), "{line}");
        }
    }
}
