//! WebSockets to pages: bounded messages; commands are received, words are sent.

use crate::http::{Answer, Request};
use sinew_web::{Command, MAX_COMMAND};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};
use tungstenite::{Error, Message, WebSocket};

/// Time to wait for a message before checking for something to send.
const TURN: Duration = Duration::from_millis(4);

/// A page connected by a socket.
pub(crate) struct Tab {
    socket: WebSocket<TcpStream>,
    ended: Arc<AtomicBool>,
}

/// Upgrades a connection to a WebSocket; returns the error response if that is not possible.
pub(crate) fn open(
    stream: TcpStream,
    request: &Request,
    ended: Arc<AtomicBool>,
) -> Result<Tab, Option<(TcpStream, Answer)>> {
    let upgrade = request.header("upgrade").is_some_and(|u| u.eq_ignore_ascii_case("websocket"));
    let version = request.header("sec-websocket-version") == Some("13");
    let Some(key) = request.header("sec-websocket-key").filter(|k| upgrade && version && k.len() == 24) else {
        return Err(Some((stream, Answer::plain("400 Bad Request", "a socket is opened here"))));
    };
    let accept = derive_accept_key(key.as_bytes());
    let head = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    );
    std::io::Write::write_all(&mut &stream, head.as_bytes()).map_err(|_| None)?;
    stream.set_read_timeout(Some(TURN)).map_err(|_| None)?;
    let limits = WebSocketConfig::default().max_message_size(Some(MAX_COMMAND)).max_frame_size(Some(MAX_COMMAND));
    Ok(Tab { socket: WebSocket::from_raw_socket(stream, Role::Server, Some(limits)), ended })
}

impl Tab {
    /// The next command, if one arrives soon.
    ///
    /// # Errors
    /// The page has gone, the server is stopping, or the message was not a command, which ends the connection.
    pub fn hear(&mut self) -> Result<Option<Command>, Closed> {
        if self.ended.load(Ordering::Relaxed) {
            _ = self.socket.close(None);
            return Err(Closed);
        }
        match self.socket.read() {
            Ok(Message::Binary(bytes)) => Command::decode(&bytes).map(Some).map_err(|_| Closed),
            Ok(Message::Ping(_) | Message::Pong(_)) => Ok(None),
            Ok(_) => Err(Closed),
            Err(Error::Io(e)) if matches!(e.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut) => {
                Ok(None)
            }
            Err(_) => Err(Closed),
        }
    }

    /// Sends bytes.
    pub fn send(&mut self, bytes: Vec<u8>) -> Result<(), Closed> {
        self.socket.send(Message::binary(bytes)).map_err(|_| Closed)
    }

    /// Sends a notice: its kind and text.
    pub fn tell(&mut self, kind: &str, text: &str) -> Result<(), Closed> {
        let notice = serde_json::json!({ "kind": kind, "text": text }).to_string();
        self.socket.send(Message::text(notice)).map_err(|_| Closed)
    }
}

/// The connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Closed;
