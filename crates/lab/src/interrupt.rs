//! Ctrl-C, and being told to end: what is played is left at the next tick, and what is there is kept.

use crate::error::LabError;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by Ctrl-C.
static IS_STOPPED: AtomicBool = AtomicBool::new(false);

/// Listens from now on. To be called once.
pub(crate) fn listen() -> Result<(), LabError> {
    ctrlc::set_handler(|| IS_STOPPED.store(true, Ordering::Relaxed))?;
    Ok(())
}

/// Whether to leave off.
pub(crate) fn is_stopped() -> bool {
    IS_STOPPED.load(Ordering::Relaxed)
}
