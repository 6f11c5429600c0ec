use super::*;

const BODY: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

/// Checks that every changed bit of text, time, name, hash and signature is seen.
#[test]
fn a_cosignature_covers_text_and_time() {
    let signer = NoteSigner::new("witness.example.com/w1", &[9; 32]).expect("a key");
    let key = WitnessKey::of(&signer);
    assert_eq!(WitnessKey::parse(&key.to_string()).expect("a key"), key);
    let note = format!("{BODY}\n{}", cosign(&signer, BODY, 1_679_315_147));
    assert_eq!(key.open(&note), Cosigned::At(1_679_315_147));
    for at in 0..note.len() - 1 {
        let mut bytes = note.as_bytes().to_vec();
        bytes[at] ^= 1;
        let Ok(other) = String::from_utf8(bytes) else { continue };
        assert!(!matches!(key.open(&other), Cosigned::At(_)), "byte {at}");
    }
    // The key of a note's signer is none of a witness, and the other way around.
    assert!(WitnessKey::parse(&signer.verifier().to_string()).is_err());
    assert!(crate::note::NoteVerifier::parse(&key.to_string()).is_err());
}

/// Reads the example of the specification, a line of a witness: its name and key id are read, and its key is unknown.
#[test]
fn the_line_of_the_specification_has_the_form() {
    let line = "jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==";
    let bytes = Base64::decode_vec(line).expect("base64");
    assert_eq!(bytes.len(), 4 + 8 + 64);
    assert_eq!(u64::from_be_bytes(bytes[4..12].try_into().unwrap()), 1_679_315_147);
    assert!(message(BODY, 1_679_315_147).starts_with("cosignature/v1\ntime 1679315147\nexample.com/"));
}
