//! A simulation with a view of it, independent of where it runs: commands in, frames of shapes out.
//!
//! A [`Session`] has a model, its data and a [`Look`], the state of its view. A page sends it [`Command`]s, which are
//! lists of numbers, and draws the frames that [`message::FrameWriter`] packs. If the engine runs in the page, the page
//! holds the session and calls the functions exported by `abi.rs`; otherwise the session is in another process,
//! connected by a socket.

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
