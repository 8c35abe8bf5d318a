//! `sentir studio`: serves the built page on loopback and opens it in a browser. The page is plain files, which any web
//! server can serve; this one is for looking at it at home: GET and HEAD, files of one folder, one answer a connection.

use crate::Done;
use crate::cli::StudioOptions;
use crate::error::LabError;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

/// The page that a folder must have to be a studio.
const ENTRY: &str = "index.html";
/// Bytes of a request that are read; more is no request of a browser's.
const REQUEST_BYTES_MAX: u64 = 16 << 10;
/// How long a browser may take to ask or to listen.
const PATIENCE: Duration = Duration::from_secs(10);

/// Serves until it is stopped.
pub(crate) fn studio(options: &StudioOptions) -> Done {
    let folder = options.files.clone();
    if !folder.join(ENTRY).is_file() {
        return Err(LabError::NoStudio { path: folder });
    }
    let port = options.port;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .map_err(|error| LabError::Port { port, why: error.to_string() })?;
    let address = listener.local_addr().map_err(LabError::Output)?;
    let address = format!("http://{address}/");
    let mut out = std::io::stdout();
    writeln!(out, "the studio is at {address} (Ctrl-C ends it)").and_then(|()| out.flush())?;
    if !options.no_open && out.is_terminal() {
        open(&address);
    }
    for stream in listener.incoming().flatten() {
        let folder = folder.clone();
        // Browsers open connections ahead of need: one that is silent must not hold up the others.
        std::thread::spawn(move || {
            // A browser that leaves in the middle is no reason to stop.
            let _ = respond(&folder, &stream);
        });
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens an address in the browser of this desktop; where there is none, the printed address has to do.
fn open(address: &str) {
    let words: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["cmd", "/c", "start"],
        _ => &["xdg-open"],
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.spawn();
}

/// Answers one request.
fn respond(folder: &Path, mut stream: &TcpStream) -> std::io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut lines = BufReader::new(stream.take(REQUEST_BYTES_MAX));
    let mut request = String::new();
    lines.read_line(&mut request)?;
    // The rest of the head is read, lest closing with unread bytes cuts the answer short.
    let mut line = String::from(" ");
    while !line.trim().is_empty() {
        line.clear();
        lines.read_line(&mut line)?;
    }
    let file = place(&request).and_then(|path| Some((kind(&path), std::fs::read(folder.join(path)).ok()?)));
    let (status, kind, body) = match file {
        Some((kind, body)) => ("200 OK", kind, body),
        None => ("404 Not Found", "text/plain", b"there is no such page\n".to_vec()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         Connection: close\r\n\r\n"
    )?;
    if request.starts_with("HEAD ") {
        return Ok(());
    }
    stream.write_all(&body)
}

/// The file that a request line asks for, inside the folder; none if it asks for anything else.
fn place(request: &str) -> Option<PathBuf> {
    let mut words = request.split_whitespace();
    let ("GET" | "HEAD", Some(target)) = (words.next()?, words.next()) else { return None };
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() || path.ends_with('/') { Path::new(path).join(ENTRY) } else { PathBuf::from(path) };
    path.components().all(|part| matches!(part, Component::Normal(_))).then_some(path)
}

fn kind(path: &Path) -> &'static str {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript",
        Some("css") => "text/css",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_inside_the_folder_are_served() {
        assert_eq!(place("GET / HTTP/1.1"), Some(PathBuf::from("index.html")));
        assert_eq!(place("GET /example/ HTTP/1.1"), Some(PathBuf::from("example/index.html")));
        assert_eq!(place("HEAD /assets/a.js?v=1 HTTP/1.1"), Some(PathBuf::from("assets/a.js")));
        for request in ["GET /../Cargo.toml HTTP/1.1", "GET //etc/passwd HTTP/1.1", "POST / HTTP/1.1", "", "GET"] {
            assert_eq!(place(request), None, "{request}");
        }
    }

    #[test]
    fn a_file_comes_with_its_type_and_what_is_missing_with_a_sentence() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let ask = |request: &str| {
            let mut stream = TcpStream::connect(address).expect("a connection");
            write!(stream, "{request} HTTP/1.1\r\nHost: x\r\n\r\n").expect("asked");
            respond(Path::new(env!("CARGO_MANIFEST_DIR")), &listener.accept().expect("taken").0).expect("served");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).map(|_| answer).unwrap_or_default()
        };
        let answer = ask("GET /Cargo.toml");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("name = \"sentir_lab\""), "{answer}");
        let head = ask("HEAD /Cargo.toml");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(ask("GET /nothing.js").starts_with("HTTP/1.1 404"));
        assert!(ask("GET /src").starts_with("HTTP/1.1 404"), "a folder is no page");
    }
}
