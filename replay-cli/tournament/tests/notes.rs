//! Notes compared with an implementation that is not ours: the crate `signed_note`, a port of Go's package.

use canasta_engine::log::checkpoint;
use canasta_tournament::note::{NoteSigner, NoteVerifier, Opened};
use signed_note::{Note, StandardSigner, StandardVerifier, VerifierList};

#[test]
fn each_opens_what_the_other_signs() {
    for seed in 0..20u8 {
        let ours = NoteSigner::new(&format!("club-{seed}.example"), &[seed; 32]).expect("a key");
        let key = ours.verifier().to_string();
        let theirs = StandardVerifier::new(&key).expect("a public key of ours is one of theirs");
        let body = checkpoint::body(&[seed; 16], u64::from(seed) * 1_000, &[seed ^ 0x5a; 32]);

        let note = Note::from_bytes(ours.sign(&body).as_bytes()).expect("a note of ours is one of theirs");
        let (verified, _) =
            note.verify(&VerifierList::new(vec![Box::new(theirs.clone())])).expect("verifies");
        assert_eq!((verified.len(), note.text()), (1, body.as_bytes()));

        let mut note = Note::new(body.as_bytes(), &[]).expect("a note");
        let signer = StandardSigner::new(&ours.to_text()).expect("a private key of ours is one of theirs");
        note.add_sigs(&[&signer]).expect("signed");
        let text = String::from_utf8(note.to_bytes()).expect("text");
        let ours = NoteVerifier::parse(&key).expect("a public key");
        assert_eq!(ours.open(&text), Opened::Signed);
        let other = NoteSigner::new(ours.name(), &[seed ^ 1; 32]).expect("a key").verifier();
        assert_eq!(other.open(&text), Opened::Unsigned, "another key of the same name did not sign");
    }
}
