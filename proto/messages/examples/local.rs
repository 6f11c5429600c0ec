//! Answers calls as a program without a server does: standard input has the name of a method and its request, again and
//! again, each behind its length in 4 bytes (little-endian); standard output gets the answers in the same form, each behind a byte
//! that is 0 for an answer and 1 for a `google.rpc.Status`.

use canasta_messages::answers;
use canasta_messages::local::{self, LocalHost};
use std::io::{Read, Write, stdin, stdout};

fn main() {
    let mut calls = Vec::new();
    stdin().read_to_end(&mut calls).expect("calls can be read");
    let (mut rest, host, mut out) = (&calls[..], LocalHost::default(), Vec::new());
    while !rest.is_empty() {
        let (method, request) = (taken(&mut rest), taken(&mut rest));
        let method = str::from_utf8(method).expect("a method has a name");
        let texts = method.strip_prefix("canasta.v1.GameService/").filter(|name| TEXTS.contains(name));
        let answer = match texts {
            Some(name) => answers::call_texts(name, request),
            None => local::call(&host, method, request),
        };
        let (first, message) = answer.map_or_else(|fault| (1, fault.to_status_bytes()), |bytes| (0, bytes));
        out.extend((1 + message.len() as u32).to_le_bytes());
        out.push(first);
        out.extend(message);
    }
    stdout().write_all(&out).expect("answers can be written");
}

/// The methods about texts, which a page loads on demand.
const TEXTS: [&str; 4] = ["GetRule", "GetCatalogue", "ListKnobs", "ExplainRuleSet"];

fn taken<'a>(rest: &mut &'a [u8]) -> &'a [u8] {
    let (length, after) = rest.split_first_chunk().expect("a length is there");
    let (bytes, after) = after.split_at(u32::from_le_bytes(*length) as usize);
    *rest = after;
    bytes
}
