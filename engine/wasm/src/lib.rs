//! The engine for programs that cannot link Rust: `call(method, bytes) -> bytes` over linear memory.
//!
//! A caller writes the name of a method and its request into memory that [`reserve`] gave, and calls [`call`]. The answer lies at
//! [`answer`] until the next call: a byte that is 0 before an answer and 1 before a `google.rpc.Status`, and then the message.
//! The methods are those of `canasta_messages::local::call`; a module built with the feature `texts` has those
//! about texts alone, so that a page loads rules and sentences when it shows some.
//!
//! This file alone of the project may not forbid `unsafe`: an exported name is an unsafe attribute. It has no unsafe block.

#[cfg(feature = "texts")]
use canasta_messages::answers;
use canasta_messages::fault::RequestFault;
use canasta_messages::local::LocalHost;
#[cfg(not(feature = "texts"))]
use canasta_messages::local;
use std::cell::RefCell;

/// Maximum number of bytes of a name and a request together: an audited log has at most 64 MiB.
const REQUEST_BYTES_MAX: usize = 68 << 20;

/// The memory that outlives a call: the host with its rule sets, the bytes of the request, and the answer.
#[derive(Default)]
struct Memory {
    host: LocalHost,
    request: Vec<u8>,
    answer: Vec<u8>,
}

thread_local! {
    static MEMORY: RefCell<Memory> = RefCell::default();
}

/// Returns the address of as many bytes for a name and its request; 0 if they are too many.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    if length > REQUEST_BYTES_MAX {
        return std::ptr::null_mut();
    }
    MEMORY.with_borrow_mut(|memory| {
        memory.request = vec![0; length];
        memory.request.as_mut_ptr()
    })
}

/// Answers the request in memory, whose first `name` bytes name the method. Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize) -> usize {
    MEMORY.with_borrow_mut(|Memory { host, request, answer }| {
        let (method, request) = request.split_at(name.min(request.len()));
        let (first, message) = match answered(host, &String::from_utf8_lossy(method), request) {
            Ok(message) => (0, message),
            Err(fault) => (1, fault.to_status_bytes()),
        };
        answer.clear();
        answer.push(first);
        answer.extend_from_slice(&message);
        answer.len()
    })
}

/// Returns the address of the answer.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    MEMORY.with_borrow(|memory| memory.answer.as_ptr())
}

#[cfg(not(feature = "texts"))]
fn answered(host: &LocalHost, method: &str, request: &[u8]) -> Result<Vec<u8>, RequestFault> {
    local::call(host, method, request)
}

#[cfg(feature = "texts")]
fn answered(_: &LocalHost, method: &str, request: &[u8]) -> Result<Vec<u8>, RequestFault> {
    answers::call_texts(method.trim_start_matches("canasta.v1.GameService/"), request)
}
