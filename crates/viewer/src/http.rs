//! The subset of HTTP that the page needs: GET, one request per connection, heads of bounded length.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Maximum length of a request head. (byte)
const MAX_HEAD: usize = 8192;
/// Maximum number of request headers.
const MAX_HEADERS: usize = 64;
/// Timeout for receiving a request head.
const PATIENCE: Duration = Duration::from_secs(5);

/// A request head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    target: String,
    /// Names are in lower case.
    headers: Vec<(String, String)>,
}

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Malformed,
    TooLong,
    NotGet,
    Gone,
}

impl Request {
    /// Reads the head of a request.
    pub fn read(stream: &mut TcpStream) -> Result<Request, Fault> {
        let (mut head, end) = (Vec::new(), Instant::now() + PATIENCE);
        let mut part = [0; 1024];
        loop {
            let left = end.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
            stream.set_read_timeout(Some(left)).map_err(|_| Fault::Gone)?;
            let count = stream.read(&mut part).map_err(|_| Fault::Gone)?;
            head.extend_from_slice(&part[..count]);
            match Request::parse(&head)? {
                Some(request) => return Ok(request),
                None if count == 0 || Instant::now() >= end => return Err(Fault::Gone),
                None if head.len() >= MAX_HEAD => return Err(Fault::TooLong),
                None => {}
            }
        }
    }

    /// Parses a request; `None` if the head is incomplete.
    fn parse(head: &[u8]) -> Result<Option<Request>, Fault> {
        let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
        let mut parsed = httparse::Request::new(&mut headers);
        match parsed.parse(head) {
            Ok(httparse::Status::Partial) => return Ok(None),
            Ok(httparse::Status::Complete(_)) => {}
            Err(_) => return Err(Fault::Malformed),
        }
        if parsed.method != Some("GET") {
            return Err(Fault::NotGet);
        }
        let value = |v: &[u8]| String::from_utf8(v.to_vec()).map_err(|_| Fault::Malformed);
        let headers = parsed.headers.iter().map(|h| Ok((h.name.to_ascii_lowercase(), value(h.value)?)));
        Ok(Some(Request { target: parsed.path.unwrap_or("/").into(), headers: headers.collect::<Result<_, _>>()? }))
    }

    #[cfg(test)]
    pub fn made(target: &str, headers: &[(&str, &str)]) -> Request {
        let headers = headers.iter().map(|(n, v)| (n.to_string(), v.to_string())).collect();
        Request { target: target.into(), headers }
    }

    /// A header that occurs once; repeated headers are ignored.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut found = self.headers.iter().filter(|(n, _)| n == name);
        let value = found.next().map(|(_, v)| v.as_str());
        if found.next().is_none() { value } else { None }
    }

    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(&self.target, |(path, _)| path)
    }

    pub fn query(&self) -> &str {
        self.target.split_once('?').map_or("", |(_, query)| query)
    }
}

/// An HTTP response.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    status: &'static str,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Answer {
    pub fn new(kind: &'static str, body: impl Into<Vec<u8>>) -> Answer {
        Answer { status: "200 OK", headers: vec![("Content-Type", kind.into())], body: body.into() }
    }

    /// A response with a compressed body.
    pub fn compressed(kind: &'static str, body: &[u8]) -> Answer {
        Answer::new(kind, body).with("Content-Encoding", "gzip".into())
    }

    pub fn plain(status: &'static str, words: &str) -> Answer {
        Answer { status, ..Answer::new("text/plain; charset=utf-8", words) }
    }

    pub fn with(mut self, name: &'static str, value: String) -> Answer {
        self.headers.push((name, value));
        self
    }

    pub fn send(&self, stream: &mut TcpStream) -> std::io::Result<()> {
        let mut head = format!("HTTP/1.1 {}\r\nContent-Length: {}\r\n", self.status, self.body.len());
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCache-Control: no-store\r\n\
                 Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n";
        stream.write_all(head.as_bytes())?;
        stream.write_all(&self.body)?;
        stream.flush()
    }
}

impl From<Fault> for Answer {
    fn from(fault: Fault) -> Answer {
        match fault {
            Fault::TooLong => Answer::plain("431 Request Header Fields Too Large", "too long"),
            Fault::NotGet => Answer::plain("405 Method Not Allowed", "GET only"),
            Fault::Malformed | Fault::Gone => Answer::plain("400 Bad Request", "not a request"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_bytes_end_the_process(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            _ = Request::parse(&bytes);
        }

        #[test]
        fn nor_do_requests_with_odd_parts(target in "[ -~]{0,40}", name in "[ -~]{0,20}", value in "\\PC{0,40}") {
            _ = Request::parse(format!("GET /{target} HTTP/1.1\r\n{name}: {value}\r\n\r\n").as_bytes());
        }
    }

    #[test]
    fn requests_are_read() {
        let r = Request::parse(b"GET /a/b?c=d&e HTTP/1.1\r\nHost: x:1\r\nA: 1\r\na: 2\r\n\r\n").unwrap().unwrap();
        assert_eq!((r.path(), r.query(), r.header("host"), r.header("a")), ("/a/b", "c=d&e", Some("x:1"), None));
        assert_eq!(Request::parse(b"GET / HTTP/1.1\r\n"), Ok(None));
        assert_eq!(Request::parse(b"POST / HTTP/1.1\r\n\r\n"), Err(Fault::NotGet));
    }
}
