//! `sentir studio`: serves the built page on loopback and opens it in a browser. The page is plain files, which any web
//! server can serve; this one is for looking at it at home: GET and HEAD, files of one folder, one answer a connection.
//!
//! A file that lies there gzipped as well (the build makes `NAME.gz` beside what gets smaller by it) is sent so to browsers that take it. What
//! has a hash of its content in its name never changes, and browsers may keep it; everything else they ask for again.

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
    let (mut line, mut takes_gzip) = (String::from("-"), false);
    while !line.trim().is_empty() {
        line.clear();
        lines.read_line(&mut line)?;
        takes_gzip |= accepts_gzip(&line);
    }
    let file = place(&request).and_then(|path| {
        let zipped = if takes_gzip { std::fs::read(folder.join(zipped(&path))).ok() } else { None };
        let coding = if zipped.is_some() { "Content-Encoding: gzip\r\n" } else { "" };
        let body = zipped.or_else(|| std::fs::read(folder.join(&path)).ok())?;
        Some((format!("Content-Type: {}\r\nCache-Control: {}\r\n{coding}", kind(&path), keeping(&path)), body))
    });
    let missing = || ("Content-Type: text/plain\r\n".to_owned(), b"there is no such page\n".to_vec());
    let status = if file.is_some() { "200 OK" } else { "404 Not Found" };
    let (head, body) = file.unwrap_or_else(missing);
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{head}Content-Length: {length}\r\nVary: Accept-Encoding\r\nConnection: close\r\n\r\n"
    )?;
    if request.starts_with("HEAD ") {
        return Ok(());
    }
    stream.write_all(&body)
}

/// Whether a line of a request's head says that gzip is taken.
fn accepts_gzip(line: &str) -> bool {
    let Some((name, codings)) = line.split_once(':') else { return false };
    let is_gzip = |coding: &str| {
        let (word, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight: String = weight.chars().filter(|letter| !letter.is_whitespace()).collect();
        word.trim().eq_ignore_ascii_case("gzip") && !matches!(weight.as_str(), "q=0" | "q=0.0" | "q=0.00" | "q=0.000")
    };
    name.trim().eq_ignore_ascii_case("accept-encoding") && codings.split(',').any(is_gzip)
}

/// The name of the gzipped file beside one.
fn zipped(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".gz");
    name.into()
}

/// How long a browser may keep a file. The build puts what it names by its content into one folder.
fn keeping(path: &Path) -> &'static str {
    if path.starts_with("assets") { "public, max-age=31536000, immutable" } else { "no-cache" }
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
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("png" | "apng") => "image/png",
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
        let ask =
            |request: &str| served(&listener, Path::new(env!("CARGO_MANIFEST_DIR")), &format!("{request} HTTP/1.1"));
        let answer = ask("GET /Cargo.toml");
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("name = \"sentir_lab\""), "{answer}");
        let head = ask("HEAD /Cargo.toml");
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n") && head.ends_with("\r\n\r\n"), "{head}");
        assert!(ask("GET /nothing.js").starts_with("HTTP/1.1 404"));
        assert!(ask("GET /src").starts_with("HTTP/1.1 404"), "a folder is no page");
    }
    /// What a browser gets for a head; bytes that are no text are shown as such.
    fn served(listener: &TcpListener, folder: &Path, head: &str) -> String {
        let mut stream = TcpStream::connect(listener.local_addr().expect("its address")).expect("a connection");
        write!(stream, "{head}\r\nHost: x\r\n\r\n").expect("asked");
        respond(folder, &listener.accept().expect("taken").0).expect("served");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn what_is_gzipped_already_is_sent_so_to_who_takes_it() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let folder = std::env::temp_dir().join(format!("sentir-studio-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("assets")).expect("a folder");
        for (name, content) in [("assets/a-1f.js", "plain"), ("assets/a-1f.js.gz", "zipped"), ("index.html", "page")] {
            std::fs::write(folder.join(name), content).expect("written");
        }
        let ask = |path: &str, taken: &str| {
            served(&listener, &folder, &format!("GET {path} HTTP/1.1\r\nAccept-Encoding: {taken}"))
        };
        let zipped = ask("/assets/a-1f.js", "br, gzip;q=0.8");
        let plain = ask("/assets/a-1f.js", "br, gzip;q=0");
        let page = ask("/", "gzip");
        std::fs::remove_dir_all(&folder).expect("removed");
        assert!(zipped.contains("Content-Encoding: gzip\r\n") && zipped.ends_with("\r\n\r\nzipped"), "{zipped}");
        assert!(zipped.contains("Content-Type: text/javascript") && zipped.contains("immutable"), "{zipped}");
        assert!(
            !plain.contains("Content-Encoding") && plain.ends_with("plain") && plain.contains("Vary: Accept-Encoding"),
            "{plain}"
        );
        assert!(page.contains("no-cache") && page.ends_with("page"), "{page}");
    }

    #[test]
    fn a_browser_says_what_it_takes() {
        assert!(
            accepts_gzip("Accept-Encoding: gzip, deflate, br\r\n")
                && accepts_gzip("accept-encoding: br;q=1.0, GZIP ; q=0.5")
        );
        assert!(
            !accepts_gzip("Accept-Encoding: br")
                && !accepts_gzip("Accept: gzip")
                && !accepts_gzip("Accept-Encoding: gzip; q=0")
        );
    }
}
