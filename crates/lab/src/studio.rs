//! `sentir studio`: serves the built page on loopback and opens it in a browser. The page is plain files, which any web
//! server can serve; this one is for looking at it at home: GET and HEAD, files of one folder, one answer a connection,
//! so many connections and no more, each with a deadline.
//!
//! A file that lies there gzipped as well (the build makes `NAME.gz` beside what gets smaller by it) is sent so to browsers that take it. What
//! has a hash of its content in its name never changes, and browsers may keep it; everything else they ask for again.

use crate::Done;
use crate::cli::StudioOptions;
use crate::error::LabError;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, IsTerminal, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The page that a folder must have to be a studio.
const ENTRY: &str = "index.html";
/// Bytes of a request that are read; more is no request of a browser's.
const REQUEST_BYTES_MAX: u64 = 16 << 10;
/// How long a browser may take to ask, in all; and to listen, beside what a long file takes.
const PATIENCE: Duration = Duration::from_secs(10);
/// How fast a browser must listen at the least. 64 KiB.
const BYTES_PER_S_MIN: u64 = 64 << 10;
/// Connections that are answered at a time.
const CONNECTIONS_MAX: usize = 64;
/// How long to wait when no connection can be taken.
const PAUSE: Duration = Duration::from_millis(50);

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
    answer_all(&listener, &folder);
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

/// Answers one connection after the other, each in a thread of its own, at most [`CONNECTIONS_MAX`] at a time.
fn answer_all(listener: &TcpListener, folder: &Path) {
    let open = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((stream, _)) = listener.accept() else {
            // Out of descriptors, as a rule: they come back when others are done.
            std::thread::sleep(PAUSE);
            continue;
        };
        if open.load(Ordering::Relaxed) >= CONNECTIONS_MAX {
            // Closed without an answer: browsers ask again.
            continue;
        }
        let (folder, slot) = (folder.to_owned(), Slot::new(&open));
        // Browsers open connections ahead of need: one that is silent must not hold up the others. Where there is no thread to be
        // had, the connection is closed.
        let _ = std::thread::Builder::new().spawn(move || {
            // A browser that leaves in the middle is no reason to stop.
            let _ = respond(&folder, &stream, PATIENCE);
            drop(slot);
        });
    }
}

/// One of the connections that may be open; gives its place back when it is dropped.
struct Slot(Arc<AtomicUsize>);

impl Slot {
    fn new(open: &Arc<AtomicUsize>) -> Slot {
        open.fetch_add(1, Ordering::Relaxed);
        Slot(Arc::clone(open))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A stream that is over at a moment, however little it is asked for at a time.
struct Hasty<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Hasty<'_> {
    fn left(&self) -> std::io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left) }
    }
}

impl Read for Hasty<'_> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        self.stream.set_read_timeout(Some(self.left()?))?;
        let mut stream = self.stream;
        stream.read(into)
    }
}

impl Write for Hasty<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.stream.set_write_timeout(Some(self.left()?))?;
        let mut stream = self.stream;
        stream.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// What is wanted of us.
#[derive(Default)]
struct Request {
    /// The first line.
    line: String,
    host: Option<String>,
    takes_gzip: bool,
}

/// An answer: status, further lines of its head, and what follows.
struct Answer {
    status: &'static str,
    head: String,
    body: Body,
}

enum Body {
    Text(&'static str),
    File(File, u64),
}

/// Answers one request, for which there is `patience` to be read; then again, and more for long files, to be answered.
fn respond(folder: &Path, stream: &TcpStream, patience: Duration) -> std::io::Result<()> {
    let request = read_request(Hasty { stream, until: Instant::now() + patience })?;
    let Answer { status, head, body } = answer(folder, &request);
    let length = match &body {
        Body::Text(text) => text.len() as u64,
        Body::File(_, length) => *length,
    };
    let until = Instant::now() + patience + Duration::from_secs(length / BYTES_PER_S_MIN);
    let mut out = Hasty { stream, until };
    let lines = "Vary: Accept-Encoding\r\nX-Content-Type-Options: nosniff\r\nConnection: close";
    out.write_all(format!("HTTP/1.1 {status}\r\n{head}Content-Length: {length}\r\n{lines}\r\n\r\n").as_bytes())?;
    match body {
        _ if request.line.starts_with("HEAD ") => Ok(()),
        Body::Text(text) => out.write_all(text.as_bytes()),
        // By pieces, and no more than was announced, should the file grow meanwhile.
        Body::File(file, length) => std::io::copy(&mut file.take(length), &mut out).map(|_| ()),
    }
}

/// The head of a request. It is read to its end, lest closing with unread bytes cuts the answer short.
fn read_request(stream: Hasty<'_>) -> std::io::Result<Request> {
    let mut lines = BufReader::new(stream.take(REQUEST_BYTES_MAX));
    let mut request = Request::default();
    lines.read_line(&mut request.line)?;
    let mut line = String::from("-");
    while !line.trim().is_empty() {
        line.clear();
        lines.read_line(&mut line)?;
        request.takes_gzip |= accepts_gzip(&line);
        if let Some((_, host)) = line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("host")) {
            request.host = Some(host.trim().to_owned());
        }
    }
    Ok(request)
}

fn answer(folder: &Path, request: &Request) -> Answer {
    let told = |status: &'static str, head: &str, text: &'static str| {
        let head = format!("Content-Type: text/plain; charset=utf-8\r\n{head}");
        Answer { status, head, body: Body::Text(text) }
    };
    match request.line.split_whitespace().next() {
        None => return told("400 Bad Request", "", "there is no request\n"),
        Some("GET" | "HEAD") => {}
        Some(_) => return told("405 Method Not Allowed", "Allow: GET, HEAD\r\n", "only GET and HEAD are answered\n"),
    }
    // A page of anybody's could have its own name lead here, and read along.
    if !request.host.as_deref().is_some_and(is_own_host) {
        return told("403 Forbidden", "", "this server answers only to localhost\n");
    }
    let found = place(&request.line).and_then(|path| {
        let zipped = if request.takes_gzip { opened(folder, &zipped(&path)) } else { None };
        let coding = if zipped.is_some() { "Content-Encoding: gzip\r\n" } else { "" };
        let (file, length) = zipped.or_else(|| opened(folder, &path))?;
        let head = format!("Content-Type: {}\r\nCache-Control: {}\r\n{coding}", kind(&path), keeping(&path));
        Some(Answer { status: "200 OK", head, body: Body::File(file, length) })
    });
    found.unwrap_or_else(|| told("404 Not Found", "", "there is no such page\n"))
}

/// Whether a name, with or without a port, is that of this machine for itself.
fn is_own_host(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|one| one.is_ascii_digit()) => name,
        _ => host,
    };
    matches!(name.to_ascii_lowercase().as_str(), "localhost" | "127.0.0.1" | "[::1]")
}

/// A file that really lies in the folder, wherever links lead; and its length.
fn opened(folder: &Path, path: &Path) -> Option<(File, u64)> {
    let (root, whole) = (folder.canonicalize().ok()?, folder.join(path).canonicalize().ok()?);
    let file = File::open(whole.starts_with(&root).then_some(whole)?).ok()?;
    let about = file.metadata().ok()?;
    about.is_file().then_some((file, about.len()))
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
        write!(stream, "{head}\r\nHost: localhost:8765\r\n\r\n").expect("asked");
        respond(folder, &listener.accept().expect("taken").0, PATIENCE).expect("served");
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

    /// The first line of the answer to a whole head.
    fn status(folder: &Path, head: &str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut stream = TcpStream::connect(listener.local_addr().expect("its address")).expect("a connection");
        write!(stream, "{head}\r\n\r\n").expect("asked");
        respond(folder, &listener.accept().expect("taken").0, PATIENCE).expect("served");
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        answer.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn other_methods_and_other_hosts_are_refused() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
            let asked = format!("{method} /Cargo.toml HTTP/1.1\r\nHost: localhost");
            assert_eq!(status(folder, &asked), "HTTP/1.1 405 Method Not Allowed");
        }
        for host in ["evil.example", "evil.example:80", "localhost.evil.example", "127.0.0.1.evil.example", ""] {
            let asked = format!("GET /Cargo.toml HTTP/1.1\r\nHost: {host}");
            assert_eq!(status(folder, &asked), "HTTP/1.1 403 Forbidden", "{host}");
        }
        assert_eq!(status(folder, "GET /Cargo.toml HTTP/1.1"), "HTTP/1.1 403 Forbidden");
        for host in ["localhost", "LOCALHOST:80", "127.0.0.1:5173", "[::1]:9"] {
            assert_eq!(
                status(folder, &format!("GET /Cargo.toml HTTP/1.1\r\nHost: {host}")),
                "HTTP/1.1 200 OK",
                "{host}"
            );
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_lead_out_of_the_folder() {
        let folder = std::env::temp_dir().join(format!("sentir-studio-links-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("inside.txt"), "inside").expect("written");
        let link = |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.join(name)).expect("a link");
        link(Path::new("/etc/hostname"), "out.txt");
        link(Path::new("/etc"), "etc");
        link(Path::new("inside.txt"), "in.txt");
        let ask = |path: &str| status(&folder, &format!("GET {path} HTTP/1.1\r\nHost: localhost"));
        let answers = ["/in.txt", "/inside.txt", "/out.txt", "/etc/hostname"].map(ask);
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!(answers, ["HTTP/1.1 200 OK", "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found", "HTTP/1.1 404 Not Found"]);
    }

    #[test]
    fn a_request_that_drips_is_over_at_its_deadline() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        let dripping = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("a connection");
            // A letter at a time, each well within any timeout of a single read.
            for letter in "GET / HTTP/1.1 and so on, for ever".bytes().cycle().take(100) {
                if stream.write_all(&[letter]).is_err() {
                    break;
                }
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let (stream, _) = listener.accept().expect("taken");
        let started = Instant::now();
        let refused = respond(Path::new("."), &stream, Duration::from_millis(300));
        let took = started.elapsed();
        drop(stream);
        dripping.join().expect("it ends");
        assert!(refused.is_err() && took < Duration::from_secs(2), "{refused:?} after {took:?}");
    }

    #[test]
    fn so_many_connections_are_answered_and_no_more() {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("its address");
        std::thread::spawn(move || answer_all(&listener, Path::new(env!("CARGO_MANIFEST_DIR"))));
        let silent: Vec<TcpStream> =
            (0..CONNECTIONS_MAX).map(|_| TcpStream::connect(address).expect("a connection")).collect();
        let ask = || {
            let mut stream = TcpStream::connect(address).expect("a connection");
            let mut answer = String::new();
            let _ = write!(stream, "GET /Cargo.toml HTTP/1.1\r\nHost: localhost\r\n\r\n");
            let _ = stream.read_to_string(&mut answer);
            answer
        };
        // The listener takes connections in their order: all silent ones are open by the time this one is looked at.
        assert_eq!(ask(), "", "one too many is closed");
        drop(silent);
        let until = Instant::now() + Duration::from_secs(20);
        while !ask().starts_with("HTTP/1.1 200") {
            assert!(Instant::now() < until, "places come back");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
