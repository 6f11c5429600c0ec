use super::*;

/// The example of Go's package `golang.org/x/mod/sumdb/note`: its key and the note it signs.
const GO_KEY: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
const GO_VERIFIER: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
const GO_NOTE: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

#[test]
fn keys_and_notes_are_those_of_go() {
    let signer = NoteSigner::parse(GO_KEY).expect("a private key");
    assert_eq!(signer.to_text(), GO_KEY);
    assert_eq!(signer.verifier().to_string(), GO_VERIFIER);
    let verifier = NoteVerifier::parse(GO_VERIFIER).expect("a public key");
    assert_eq!(verifier, signer.verifier());
    assert_eq!(verifier.open(GO_NOTE), Opened::Signed);
    let (text, _) = split(GO_NOTE).expect("a note");
    assert_eq!(signer.sign(text), GO_NOTE);
}

#[test]
fn every_changed_bit_of_a_note_is_seen() {
    let verifier = NoteVerifier::parse(GO_VERIFIER).expect("a public key");
    for at in 0..GO_NOTE.len() {
        for bit in 0..8 {
            let mut bytes = GO_NOTE.as_bytes().to_vec();
            bytes[at] ^= 1 << bit;
            let Ok(note) = String::from_utf8(bytes) else { continue };
            // The last byte, a line feed after the signature, is no part of what is signed.
            assert!(at == GO_NOTE.len() - 1 || verifier.open(&note) != Opened::Signed, "byte {at} bit {bit}");
        }
    }
}

#[test]
fn texts_that_are_not_keys_are_refused() {
    for (text, what) in [
        ("", "NAME+HASH+BASE64"),
        ("a+zz+AA==", "8 hex digits"),
        ("PeterNeumann+C74F20A3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "lower case"),
        ("a+00000000+??", "base64"),
        ("a+00000000+AA==", "Ed25519"),
        ("PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "its hash"),
        ("Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", "blanks"),
    ] {
        let error = format!("{:#}", NoteVerifier::parse(text).expect_err(text));
        assert!(error.contains(what), "{text}: {error}");
    }
}
