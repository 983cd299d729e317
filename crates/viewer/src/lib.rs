//! Shows simulations in a browser.
//!
//! [`View`] serves a model's files to a page that runs them itself; [`Remote`] shows a simulation in this process;
//! [`one_file`] writes a page that needs no server. The servers listen on this machine only.

mod export;
mod guard;
mod http;
mod page;
mod remote;
mod server;
mod socket;
mod view;

pub use export::{one_file, pack_motion};
pub use page::{NoPage, built};
pub use remote::{Remote, Role, Synced};
pub use view::{Bundle, View};

/// Why something cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The page is not part of this build.
    #[error(transparent)]
    NoPage(#[from] NoPage),
    /// The requested port, or any port, could not be opened.
    #[error("cannot listen on this machine: {0}")]
    Listen(std::io::Error),
    /// The system provides no random numbers.
    #[error("the system gives no random numbers for the viewer's token")]
    NoToken,
}
