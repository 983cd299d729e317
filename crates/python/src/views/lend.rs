//! A simulation lent to Python while a native call that has it locked waits in a callback.
#![allow(unsafe_code)] // dereferences the pointer of a loan; see `Loans`

use sinew_engine::Data;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

/// Loans of one simulation, innermost last: a native call made from a callback may itself run callbacks.
///
/// What makes this sound:
///
/// * A loan is made from the only `&mut Data` there is, which [`Loans::lend`] keeps borrowed and does not use until the
///   loan is over. The address is checked, so nobody can lend a simulation other than the one in the cell.
/// * The pointer is read only by the thread that made the loan, and by one [`Loaned`] at a time.
/// * A loan does not end while it is in use: that would be a defect, and ends the process.
pub(super) struct Loans {
    /// Address of the simulation, constant for its whole life.
    address: usize,
    open: Mutex<Vec<Loan>>,
}

struct Loan {
    data: *mut Data,
    thread: ThreadId,
    used: bool,
}

// SAFETY: only the thread that made a loan accesses its pointer, and `Data` itself is `Send`.
unsafe impl Send for Loan {}

impl Loans {
    pub(super) fn new(data: &Data) -> Self {
        Loans { address: std::ptr::from_ref(data).addr(), open: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, Vec<Loan>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs code during which this thread may take `data` from here.
    pub(super) fn lend<R>(&self, data: &mut Data, work: impl FnOnce() -> R) -> R {
        /// Ends the loan, even if the code panics.
        struct End<'a>(&'a Loans);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                if self.0.open().pop().is_none_or(|loan| loan.used) {
                    std::process::abort();
                }
            }
        }
        let data = std::ptr::from_mut(data);
        assert_eq!(data.addr(), self.address, "a callback ran on another simulation than the one it is for");
        self.open().push(Loan { data, thread: thread::current().id(), used: false });
        let _end = End(self);
        work()
    }

    /// The simulation, if it is lent to this thread and not in use.
    pub(super) fn take(&self) -> Option<Loaned<'_>> {
        let mut open = self.open();
        let loan = open.last_mut().filter(|loan| !loan.used && loan.thread == thread::current().id())?;
        loan.used = true;
        Some(Loaned { loans: self, data: loan.data })
    }
}

/// Exclusive use of a simulation on loan.
pub struct Loaned<'a> {
    loans: &'a Loans,
    data: *mut Data,
}

impl Deref for Loaned<'_> {
    type Target = Data;
    fn deref(&self) -> &Data {
        // SAFETY: `lend` keeps the unique borrow behind this pointer and cannot return before this is dropped; `used`
        // makes this the only `Loaned` of the loan.
        unsafe { &*self.data }
    }
}

impl DerefMut for Loaned<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        // SAFETY: as in `deref`.
        unsafe { &mut *self.data }
    }
}

impl Drop for Loaned<'_> {
    fn drop(&mut self) {
        // loans made from this one are over, so the last one is this loan's own
        if let Some(loan) = self.loans.open().last_mut() {
            loan.used = false;
        }
    }
}
