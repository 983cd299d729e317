//! The server: listens on this machine only, checks the token, and serves the page.

use crate::Error;
use crate::guard::{Guard, SOCKET, Verdict};
use crate::http::{Answer, Request};
use crate::page::{Mode, Page};
use crate::socket::{self, Tab};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// Maximum number of connections; further ones get no answer.
const MAX_CONNECTIONS: usize = 64;
/// Maximum number of pages.
pub(crate) const MAX_TABS: usize = 8;

/// The content of a server.
pub(crate) trait Content: Send + Sync + 'static {
    fn mode(&self) -> Mode;
    /// Serves a resource that is not part of the page itself.
    fn part(&self, path: &str) -> Option<Answer>;
    /// Communicates with a page until either side ends.
    fn talk(&self, tab: &mut Tab);
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub(crate) struct Server {
    guard: Guard,
    ended: Arc<AtomicBool>,
}

impl Server {
    /// Starts on a port; 0 selects a free one.
    pub fn start(port: u16, content: Arc<dyn Content>) -> Result<Server, Error> {
        let page = Page::get()?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(Error::Listen)?;
        let guard = Guard::new(listener.local_addr().map_err(Error::Listen)?.port())?;
        let ended = Arc::new(AtomicBool::new(false));
        let door = Arc::new(Door {
            page,
            content,
            guard: guard.clone(),
            ended: ended.clone(),
            inside: Count::default(),
            tabs: Count::default(),
        });
        listener.set_nonblocking(true).map_err(Error::Listen)?;
        std::thread::Builder::new()
            .name("sinew viewer".into())
            .spawn(move || door.keep(&listener))
            .map_err(Error::Listen)?;
        Ok(Server { guard, ended })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        self.guard.address()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// Counts things that currently exist.
#[derive(Clone, Default)]
struct Count(Arc<AtomicUsize>);

impl Count {
    /// Counts one more until the result is dropped; `None` if there are too many.
    fn enter(&self, most: usize) -> Option<Entered> {
        if self.0.fetch_add(1, Ordering::SeqCst) < most {
            return Some(Entered(self.0.clone()));
        }
        self.0.fetch_sub(1, Ordering::SeqCst);
        None
    }
}

struct Entered(Arc<AtomicUsize>);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Shared state for answering connections.
struct Door {
    page: Page,
    content: Arc<dyn Content>,
    guard: Guard,
    ended: Arc<AtomicBool>,
    inside: Count,
    tabs: Count,
}

impl Door {
    fn keep(self: &Arc<Self>, listener: &TcpListener) {
        while !self.ended.load(Ordering::Relaxed) {
            let Ok((stream, _)) = listener.accept() else {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            let Some(entered) = self.inside.enter(MAX_CONNECTIONS) else { continue };
            let door = self.clone();
            let work = move || {
                door.meet(stream);
                drop(entered);
            };
            _ = std::thread::Builder::new().name("sinew page".into()).spawn(work);
        }
    }

    fn meet(&self, mut stream: TcpStream) {
        let timeouts =
            stream.set_nonblocking(false).and_then(|()| stream.set_write_timeout(Some(Duration::from_secs(10))));
        if timeouts.is_err() || stream.set_nodelay(true).is_err() {
            return;
        }
        let answer = match Request::read(&mut stream) {
            Ok(request) => match (self.guard.judge(&request), request.path()) {
                (Verdict::Refused, _) => Answer::plain("403 Forbidden", "Open the address that the viewer printed."),
                (Verdict::Known, SOCKET) => return self.open(stream, &request),
                (Verdict::Welcome, _) => {
                    let there = Answer::plain("303 See Other", "").with("Location", "/".into());
                    there.with("Set-Cookie", self.guard.cookie())
                }
                (Verdict::Known, path) => self.part(path).with("Content-Security-Policy", policy(&request)),
            },
            Err(fault) => fault.into(),
        };
        _ = answer.send(&mut stream); // a closed connection needs no answer
    }

    fn part(&self, path: &str) -> Answer {
        let html = "text/html; charset=utf-8";
        match path {
            "/" => {
                let head = "<link rel=\"stylesheet\" href=\"page.css\">";
                let body = "<script src=\"page.js\"></script>";
                Answer::new(html, self.page.document(self.content.mode(), head, body))
            }
            "/page.js" => Answer::compressed("text/javascript; charset=utf-8", self.page.script),
            "/page.css" => Answer::compressed("text/css; charset=utf-8", self.page.style),
            "/engine.wasm" => Answer::compressed("application/wasm", self.page.engine),
            _ => self.content.part(path).unwrap_or_else(|| Answer::plain("404 Not Found", "there is no such part")),
        }
    }

    /// Opens a socket and runs its conversation.
    fn open(&self, mut stream: TcpStream, request: &Request) {
        let Some(_tab) = self.tabs.enter(MAX_TABS) else {
            let words = format!("at most {MAX_TABS} pages look at a simulation; close one");
            _ = Answer::plain("503 Service Unavailable", &words).send(&mut stream);
            return;
        };
        match socket::open(stream, request, self.ended.clone()) {
            Ok(mut tab) => self.content.talk(&mut tab),
            Err(Some((mut stream, answer))) => _ = answer.send(&mut stream),
            Err(None) => {}
        }
    }
}

/// Content security policy: only this server.
fn policy(request: &Request) -> String {
    let host = request.header("host").unwrap_or_default();
    format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self' ws://{host}; \
         img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
}
