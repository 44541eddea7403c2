//! The umpire: judges every attempt by the true position and addresses every call.
