//! A simulation to be looked at, wherever it runs: commands in, frames of shapes out.
//!
//! A [`Session`] has a model, its data and a [`Look`] at it. A page sends it [`Command`]s, which are lists of numbers, and
//! draws the frames that [`message::FrameWriter`] packs. The page holds a session itself when the engine runs in it, and
//! then calls what `abi.rs` exports; otherwise one of another process is at the far end of a socket.

#[cfg(target_arch = "wasm32")]
mod abi;
mod command;
mod files;
mod look;
pub mod message;
mod session;

pub use command::{BadCommand, Command, MAX_COMMAND};
pub use files::{BadFiles, pack_files, unpack_files};
pub use look::Look;
pub use session::{Motion, Session};
