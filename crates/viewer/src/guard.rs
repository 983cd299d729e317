//! Access control of the server: clients must know the token, and pages must come from this server.

use crate::Error;
use crate::http::Request;
use std::fmt::Write as _;
use subtle::ConstantTimeEq;

/// The credentials that requests must show.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: String,
    port: u16,
}

/// How a request is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The request has the cookie.
    Known,
    /// The request has the token in its address, and receives the cookie.
    Welcome,
    /// The request has neither.
    Refused,
}

impl Guard {
    pub fn new(port: u16) -> Result<Guard, Error> {
        let mut raw = [0u8; 16];
        getrandom::fill(&mut raw).map_err(|_| Error::NoToken)?;
        let mut token = String::new();
        raw.iter().for_each(|b| _ = write!(token, "{b:02x}"));
        Ok(Guard { token, port })
    }

    /// The address to open.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/?token={}", self.port, self.token)
    }

    /// The cookie to be set.
    pub fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    /// Cookies are shared between ports, so the port is part of the name.
    fn cookie_name(&self) -> String {
        format!("sinew{}", self.port)
    }

    pub fn judge(&self, request: &Request) -> Verdict {
        let host = request.header("host").is_some_and(|h| self.is_local(h)); // a foreign name may resolve here
        let origin =
            request.header("origin").is_none_or(|o| o.strip_prefix("http://").is_some_and(|h| self.is_local(h)));
        // foreign pages must not open sockets: browsers always send an origin with these
        let told = request.path() != SOCKET || request.header("origin").is_some();
        if !(host && origin && told) {
            return Verdict::Refused;
        }
        let name = self.cookie_name();
        let mut cookies = request.header("cookie").unwrap_or("").split(';').filter_map(|c| c.trim().split_once('='));
        if cookies.any(|(n, value)| n == name && self.is_token(value)) {
            return Verdict::Known;
        }
        let mut given = request.query().split('&').filter_map(|p| p.strip_prefix("token="));
        if request.path() == "/" && given.any(|t| self.is_token(t)) { Verdict::Welcome } else { Verdict::Refused }
    }

    fn is_local(&self, host: &str) -> bool {
        host.rsplit_once(':')
            .is_some_and(|(name, port)| matches!(name, "127.0.0.1" | "localhost") && port.parse() == Ok(self.port))
    }

    fn is_token(&self, given: &str) -> bool {
        given.as_bytes().ct_eq(self.token.as_bytes()).into()
    }
}

/// Path of the sockets.
pub(crate) const SOCKET: &str = "/socket";

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(guard: &Guard, target: &str, headers: &[(&str, &str)]) -> Verdict {
        guard.judge(&Request::made(target, headers))
    }

    #[test]
    fn only_pages_with_the_token_get_in() {
        let guard = Guard::new(8000).unwrap();
        let (open, cookie) = (format!("/?token={}", guard.token), format!("a=b; sinew8000={}", guard.token));
        let host = ("host", "127.0.0.1:8000");
        assert_eq!(judge(&guard, &open, &[host]), Verdict::Welcome);
        assert_eq!(judge(&guard, "/page.js", &[host, ("cookie", &cookie)]), Verdict::Known);
        assert_eq!(judge(&guard, "/page.js", &[host]), Verdict::Refused);
        assert_eq!(judge(&guard, &format!("/files?token={}", guard.token), &[host]), Verdict::Refused);
        assert_eq!(judge(&guard, "/?token=0", &[host]), Verdict::Refused);
        for wrong in ["evil.example:8000", "127.0.0.1:8001", "127.0.0.1", "127.0.0.1.evil.example:8000"] {
            assert_eq!(judge(&guard, &open, &[("host", wrong)]), Verdict::Refused, "{wrong}");
        }
        let from = |origin| judge(&guard, SOCKET, &[host, ("cookie", &cookie), ("origin", origin)]);
        assert_eq!(from("http://localhost:8000"), Verdict::Known);
        assert_eq!(from("http://evil.example"), Verdict::Refused);
        assert_eq!(from("null"), Verdict::Refused);
        assert_eq!(judge(&guard, SOCKET, &[host, ("cookie", &cookie)]), Verdict::Refused, "sockets tell their origin");
        assert_eq!(judge(&guard, &open, &[]), Verdict::Refused);
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(Guard::new(1).unwrap().token, Guard::new(1).unwrap().token);
    }
}
