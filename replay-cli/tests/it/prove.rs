//! Proofs in one file: what is written holds, and nothing in the block of data can be changed unseen.

use crate::common::{Extras, command, directory, key, logs, play, short};
use base64ct::{Base64, Encoding};
use canasta_replay::Exit;
use canasta_tournament::bundle::ProofBundle;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::PathBuf;

/// A published tournament of three games with a witness, and the page that proves the second game.
struct Proven {
    place: PathBuf,
    log: String,
    page: String,
    site: String,
    key: String,
    witness: String,
}

fn proven(name: &str) -> Proven {
    let place = directory(name);
    let tables = place.join("tables");
    let log = logs(&tables, 3)[1].to_str().unwrap().to_owned();
    let (secret, key) = key(&place, "open.example", 3);
    let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
    let (site, witness) = (path("site"), path("w.key"));
    let ok = |args: &[&str]| {
        let ran = command(args, b"");
        assert_eq!(ran.exit, Exit::Clean, "{args:?}: {ran:?}");
        String::from_utf8(ran.out).unwrap()
    };
    ok(&["publish", tables.to_str().unwrap(), "--key", &secret, "-o", &site]);
    let public = ok(&["keygen", "w.example", "--witness", "-o", &witness]).trim().to_owned();
    let line = ok(&["witness", &site, "--state", &path("w.json"), "--key", &witness, "--log", &key]);
    let checkpoint = place.join("site/checkpoint");
    fs::write(&checkpoint, fs::read_to_string(&checkpoint).unwrap() + &line).unwrap();
    let policy = format!(
        "format = \"canasta-policy/1\"\n[tree]\nkeys = [\"{key}\"]\n[witnesses]\nkeys = [\"{public}\"]\n"
    );
    fs::write(place.join("policy.toml"), policy).unwrap();
    let file = path("game.proof.html");
    let said = ok(&["prove", &log, "--site", &site, "--policy", &path("policy.toml"), "-o", &file]);
    assert!(said.starts_with("proven: entry 1 of the tree · verifier "), "{said}");
    Proven { page: fs::read_to_string(&file).unwrap(), place, log, site, key, witness: public }
}

/// Returns the block of data of a page.
fn block(page: &str) -> &str {
    between(page, "id=\"proof\">", "</script>")
}

fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).expect("a start").1.split_once(end).expect("its end").0
}

#[test]
fn a_proof_holds_with_the_keys_from_elsewhere() {
    let proven = proven("prove-holds");
    let verify = |more: &[&str]| command(&[&["verify-proof", "-"], more].concat(), proven.page.as_bytes());
    let output = proven.place.join("out.clog");
    let ran = verify(&["--key", &proven.key, "--witness", &proven.witness, "-o", output.to_str().unwrap()]);
    let text = String::from_utf8(ran.out).unwrap();
    assert_eq!(ran.exit, Exit::Clean, "{text}");
    for expected in [
        "-   HOLDS\n",
        "tree: entry 1 of 3 entries of open.example, root ",
        "tree signed by open.example\n",
        "tree cosigned by w.example at 2",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    assert!(!text.contains("whose keys") && !text.contains("anew"), "{text}");
    assert_eq!(fs::read(output).unwrap(), fs::read(&proven.log).unwrap());
    // The block alone says the same.
    let alone = command(&["verify-proof", "-", "--key", &proven.key], block(&proven.page).as_bytes());
    assert_eq!(alone.exit, Exit::Clean);
    assert!(String::from_utf8(verify(&[]).out).unwrap().contains("not proven: whose keys these are"));
    let (_, stranger) = key(&proven.place, "open.example", 9);
    let ran = verify(&["--key", &stranger, "--format", "json"]);
    let value: Value = serde_json::from_slice(&ran.out).unwrap();
    assert_eq!((ran.exit, &value["holds"], &value["index"]), (Exit::Findings, &false.into(), &1.into()));
    assert_eq!(value["faults"][0], "SIGNATURE in the proof: open.example has signed nothing in it");
}

/// Checks that the page has one block of data, and names the verifier that it has: the script and the engine of every page.
#[test]
fn the_page_has_one_block_and_its_verifier_is_that_of_every_page() {
    let proven = proven("prove-page");
    let verifier = |page: &str| {
        let module = |name: &str| {
            let packed = Base64::decode_vec(between(page, &format!("id=\"{name}\">"), "</script>")).unwrap();
            miniz_oxide::inflate::decompress_to_vec(&packed).unwrap()
        };
        let script = between(page, "<script type=\"module\">", "</script>");
        let parts = [script.as_bytes(), &module("canasta.wasm"), &module("texts.wasm")].concat();
        base16ct::lower::encode_string(&Sha256::digest(parts))
    };
    let digest = verifier(&proven.page);
    let said = command(&["verify-proof", "-"], proven.page.as_bytes()).out;
    assert!(
        String::from_utf8(said).unwrap().contains(&format!("verifier of this version's pages: {digest}\n"))
    );
    let other = proven.place.join("other.html");
    let first = proven.log.replace("table-1", "table-0");
    let ran = command(&["prove", &first, "-o", other.to_str().unwrap()], b"");
    assert!(
        String::from_utf8(ran.out)
            .unwrap()
            .starts_with("proven: the chain alone: nobody vouches for the log")
    );
    assert_eq!(verifier(&fs::read_to_string(other).unwrap()), digest);
    // Data and page agree, and no name becomes markup.
    let bundle = ProofBundle::find(&proven.page).unwrap();
    assert_eq!(bundle.log, fs::read(&proven.log).unwrap());
    let doubled = format!("{}{}", proven.page, bundle.to_element());
    assert!(ProofBundle::find(&doubled).is_err());
}

#[test]
fn what_does_not_hold_is_not_written() {
    let proven = proven("prove-refused");
    let page = proven.place.join("none.html");
    let page = page.to_str().unwrap();
    let foreign = proven.place.join("foreign.clog");
    fs::write(&foreign, play(&short("classic-4p", 5), 77, Extras::None)).unwrap();
    let cut = proven.place.join("cut.clog");
    let log = fs::read(&proven.log).unwrap();
    fs::write(&cut, &log[..log.len() / 2]).unwrap();
    let (_, stranger) = key(&proven.place, "stranger.example", 9);
    let [foreign, cut] = [foreign, cut].map(|path| path.to_str().unwrap().to_owned());
    for (args, expected) in [
        (&[&foreign[..], "--site", &proven.site][..], "the tree has no entry of this log as it is"),
        (&[&cut, "--site", &proven.site], "the tree has no entry of this log as it is"),
        (&[&cut], "at record "),
        (
            &[&proven.log, "--site", &proven.site, "--key", &stranger],
            "stranger.example has signed nothing in it",
        ),
    ] {
        let ran = command(&[&["prove", "-o", page][..], args].concat(), b"");
        assert!(ran.exit == Exit::Findings && ran.err.contains(expected), "{expected}: {}", ran.err);
        assert!(!fs::exists(page).unwrap());
    }
    for (text, expected) in [
        ("", "has no block of data"),
        ("<html>", "has no block of data"),
        ("{}", "expected a proof as JSON"),
        ("<script type=\"application/json\" id=\"proof\">{", "has no end"),
    ] {
        let ran = command(&["verify-proof", "-"], text.as_bytes());
        assert!(ran.exit == Exit::Findings && ran.err.contains(expected), "{text}: {}", ran.err);
    }
}

/// Flips every bit of the block: every bit of what is around the log, and one bit of each digit of the log, whose bits are
/// all flipped by the tests of logs. A change is refused, found, or harmless.
#[test]
fn every_changed_bit_of_the_block_is_found_or_harmless() {
    let proven = proven("prove-flips");
    let block = block(&proven.page);
    let bundle = ProofBundle::parse(block).unwrap();
    let own = bundle.keys().unwrap();
    let (starts, ends) = (block.find("\"log\":\"").unwrap() + 7, block.find("\",\"tree\"").unwrap());
    let good = bundle.check(&own);
    assert!(good.holds() && good.tree.cosigned_by.len() == 1);
    let mut harmless = 0;
    for at in 0..block.len() {
        for bit in 0..8 {
            if (starts..ends).contains(&at) && at % 8 != bit {
                continue;
            }
            let mut bytes = block.as_bytes().to_vec();
            bytes[at] ^= 1 << bit;
            let Ok(text) = String::from_utf8(bytes) else { continue };
            let Ok(changed) = ProofBundle::parse(&text) else { continue };
            let Ok(keys) = changed.keys() else { continue };
            let report = changed.check(&keys);
            // A witness whose line is not found any more has not signed: the reader who wants it names its key.
            if !report.holds() || report.tree.cosigned_by.is_empty() {
                continue;
            }
            assert_eq!(changed.log, bundle.log, "byte {at} bit {bit}");
            assert_eq!(report.tree.proven, good.tree.proven, "byte {at} bit {bit}");
            assert_eq!(report.tree.checkpoint, good.tree.checkpoint, "byte {at} bit {bit}");
            assert_eq!(
                (&report.tree.signed_by, &report.tree.cosigned_by),
                (&good.tree.signed_by, &good.tree.cosigned_by)
            );
            harmless += 1;
        }
    }
    assert_eq!(harmless, 0, "changes that nothing shows");
}
