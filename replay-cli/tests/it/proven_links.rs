//! Links that carry a proof: what is proven holds with the keys from elsewhere, no character can be changed unseen, and a lawful
//! game with the proof of another one is not proven.

use crate::common::{Ran, command, directory, key, logs};
use base64ct::{Base64UrlUnpadded, Encoding};
use canasta_engine::archive::{of_link, to_link};
use canasta_replay::Exit;
use canasta_tournament::bundle::ProofBundle;
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};

/// A link that was made when links with proofs were new.
const OLD: &str = include_str!("../data/proven.link");
const PAGE: &str = "https://club.example/";

/// A published tournament with a witness, and its keys.
struct Site {
    place: PathBuf,
    games: Vec<PathBuf>,
    key: String,
    witness: String,
}

impl Site {
    /// Publishes the logs of a directory.
    fn new(place: PathBuf, games: Vec<PathBuf>) -> Self {
        let (secret, key) = key(&place, "open.example", 3);
        let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
        let (site, private) = (path("site"), path("w.key"));
        ok(&["publish", &path("tables"), "--key", &secret, "-o", &site]);
        let witness = ok(&["keygen", "w.example", "--witness", "-o", &private]).trim().to_owned();
        let line = ok(&["witness", &site, "--state", &path("w.json"), "--key", &private, "--log", &key]);
        let checkpoint = place.join("site/checkpoint");
        fs::write(&checkpoint, fs::read_to_string(&checkpoint).unwrap() + &line).unwrap();
        let policy = format!(
            "format = \"canasta-policy/1\"\n[tree]\nkeys = [\"{key}\"]\n[witnesses]\nkeys = [\"{witness}\"]\n"
        );
        fs::write(place.join("policy.toml"), policy).unwrap();
        Self { place, games, key, witness }
    }

    fn of_three(name: &str) -> Self {
        let place = directory(name);
        let games = logs(&place.join("tables"), 3);
        Self::new(place, games)
    }

    /// Writes the page of a log's proof, and returns its path.
    fn page(&self, log: &Path) -> String {
        let path = |name: &str| self.place.join(name).to_str().unwrap().to_owned();
        let page = format!("{}.html", log.display());
        let (site, policy) = (path("site"), path("policy.toml"));
        ok(&["prove", log.to_str().unwrap(), "--site", &site, "--policy", &policy, "-o", &page, "--force"]);
        page
    }

    fn proven(&self, log: &Path) -> String {
        ok(&["link", &self.page(log), "--page", PAGE]).trim_end().to_owned()
    }
}

fn ok(args: &[&str]) -> String {
    let ran = command(args, b"");
    assert_eq!(ran.exit, Exit::Clean, "{args:?}: {ran:?}");
    String::from_utf8(ran.out).unwrap()
}

fn simulated(name: &str, more: &[&str]) -> (PathBuf, Vec<PathBuf>) {
    let place = directory(name);
    let tables = place.join("tables");
    ok(&[&["simulate", "--seed", "3", "--games", "2", "--out", tables.to_str().unwrap()][..], more].concat());
    let games = (0..2).map(|game| tables.join(format!("game-00000{game}.clog"))).collect();
    (place, games)
}

#[test]
fn a_link_carries_the_proof_of_its_game() {
    let site = Site::of_three("link-proven");
    let log = &site.games[1];
    let ran = command(&["link", &site.page(log), "--page", PAGE], b"");
    assert!(ran.err.contains(&format!("\nproven, under {}\n", site.key)), "{}", ran.err);
    let link = site.proven(log);
    assert!(link.len() < 1_500 && link.contains("&p="), "{} characters", link.len());
    let copy = site.place.join("copy.clog").to_str().unwrap().to_owned();
    let said = ok(&["verify-proof", &link, "-o", &copy, "--key", &site.key, "--witness", &site.witness]);
    for expected in [
        "the link   HOLDS\n",
        "tree: entry 1 of 3 entries of open.example, root ",
        "tree signed by open.example\n",
        "tree cosigned by w.example at 2",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert!(!said.contains("the moves"), "{said}");
    assert_eq!(fs::read(&copy).unwrap(), fs::read(log).unwrap());
    assert!(ok(&["verify-proof", &link]).contains("not proven: whose keys these are"));
    assert!(command(&["link", &link], b"").err.contains("the link carries a proof: verify-proof checks it"));
    // A stranger of the same name has signed nothing.
    let (_, stranger) = key(&site.place, "open.example", 9);
    assert_eq!(command(&["verify-proof", &link, "--key", &stranger], b"").exit, Exit::Findings);
}

/// Makes the link of a game longer by the address of its page.
#[test]
fn a_link_with_a_proof_has_at_most_1500_characters() {
    let site = Site::of_three("link-longest");
    let page = site.page(&site.games[1]);
    let longer = "x".repeat(1_500 - site.proven(&site.games[1]).len());
    let longest = ok(&["link", &page, "--page", &format!("{PAGE}{longer}")]);
    assert_eq!(longest.trim_end().len(), 1_500);
    assert!(ok(&["verify-proof", longest.trim_end(), "--key", &site.key]).contains("HOLDS"));
    let ran = command(&["link", &page, "--page", &format!("{PAGE}{longer}x")], b"");
    assert!(ran.exit == Exit::Findings && ran.out.is_empty(), "{ran:?}");
    assert!(ran.err.contains("would have 1,501 characters, expected at most 1,500"), "{ran:?}");
    // Without a proof it may be longer.
    let bare =
        ok(&["link", site.games[1].to_str().unwrap(), "--page", &format!("{PAGE}{}", "x".repeat(1_000))]);
    assert!(bare.trim_end().len() > 1_500);
}

#[test]
fn a_link_of_the_first_release_holds() {
    let said = ok(&["verify-proof", OLD]);
    assert!(said.contains("HOLDS") && said.contains("tree cosigned by w.example at 2"), "{said}");
}

#[test]
fn no_character_of_a_proven_link_can_be_changed() {
    let site = Site::of_three("link-flips");
    let link = site.proven(&site.games[1]);
    let at = link.find("#g=").unwrap() + 1;
    for place in at..link.len() {
        let other = if link.as_bytes()[place] == b'A' { "B" } else { "A" };
        let changed = [&link[..place], other, &link[place + 1..]].concat();
        let ran = command(&["verify-proof", &changed], b"");
        assert_ne!(ran.exit, Exit::Clean, "character {place}: {}", String::from_utf8_lossy(&ran.out));
    }
    for length in at..link.len() {
        assert_ne!(command(&["verify-proof", &link[..length]], b"").exit, Exit::Clean, "{length} characters");
    }
}

#[test]
fn what_is_not_proven_is_not_linked() {
    let site = Site::of_three("link-refused");
    let [first, second] = [&site.games[0], &site.games[1]];
    let refused = |ran: Ran, expected: &str| {
        assert!(
            ran.exit == Exit::Findings && ran.out.is_empty() && ran.err.contains(expected),
            "{expected}: {ran:?}"
        );
    };
    let page = site.page(second);
    refused(
        command(&["link", &page, "--page", &"x".repeat(900)], b""),
        "expected at most 1,500: send the log as a file",
    );
    let alone = site.place.join("alone.html").to_str().unwrap().to_owned();
    ok(&["prove", first.to_str().unwrap(), "-o", &alone]);
    refused(command(&["link", &alone], b""), "no key has signed a tree");
    // The block of another game with this proof.
    let mut swapped = ProofBundle::find(&fs::read_to_string(&page).unwrap()).unwrap();
    swapped.log = fs::read(first).unwrap();
    let ran = command(&["link", "-"], swapped.to_json().as_bytes());
    refused(ran, "GAME_CHANGED: the log is not the one in the tree");
    let bare = ok(&["link", first.to_str().unwrap()]).trim_end().to_owned();
    refused(command(&["verify-proof", &bare], b""), "it carries no proof");
    // A lawful game with the proof of another one.
    let forged = format!("{bare}&p={}", site.proven(second).split_once("&p=").unwrap().1);
    let ran = command(&["verify-proof", &forged], b"");
    let said = String::from_utf8(ran.out).unwrap();
    assert!(ran.exit == Exit::Findings && said.contains("DOES NOT HOLD"), "{said}");
}

/// Checks that of a signed game, which travels without its signatures, the result is proven and nothing is said of its moves, and
/// that another lawful game with its head is not even that.
#[test]
fn of_a_signed_game_the_result_is_proven() {
    let (place, games) = simulated("link-result", &["--signed"]);
    let site = Site::new(place, games);
    let ran = command(&["link", &site.page(&site.games[0]), "--page", PAGE], b"");
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
    assert!(ran.err.contains("the result is proven, not the moves, under open.example+"), "{}", ran.err);
    let link = String::from_utf8(ran.out).unwrap();
    let said = ok(&["verify-proof", link.trim_end(), "--key", &site.key]);
    assert!(
        said.contains("HOLDS") && said.contains("not proven: the moves: the proof is of the full log"),
        "{said}"
    );

    let (game, proof) = link.trim_end().split_once("#g=").unwrap().1.split_once("&p=").unwrap();
    let head = of_link(&Base64UrlUnpadded::decode_vec(game).unwrap()).unwrap().full_head.unwrap();
    let other = of_link(&to_link(&fs::read(&site.games[1]).unwrap()).unwrap()).unwrap().log;
    let whole = to_link(&other).unwrap();
    let packed = [&[2], &head[..], &whole[1..whole.len() - 8]].concat();
    let check = Sha256::new().chain_update(&other).chain_update(&packed).finalize();
    let forged = [&packed, &check[..8]].concat();
    assert_eq!(of_link(&forged).unwrap().full_head, Some(head), "the forged link is a link");
    let forged = format!("{PAGE}#g={}&p={proof}", Base64UrlUnpadded::encode_string(&forged));
    let ran = command(&["verify-proof", &forged], b"");
    assert_eq!(ran.exit, Exit::Findings, "{}", String::from_utf8_lossy(&ran.out));
}

/// Writes what a browser opens: proven links, and one whose proof is of the result; the logs and the key beside them.
#[test]
fn links_for_a_browser() {
    let place = directory("proven");
    let put = |name: &str, link: &str| fs::write(place.join(name), link).unwrap();
    let short = Site::of_three("proven-short");
    put("short.link", &short.proven(&short.games[1]));
    put("other.clog.link", ok(&["link", short.games[0].to_str().unwrap()]).trim_end());
    put("key.pub", &short.key);
    let (played, games) = simulated("proven-game", &[]);
    let game = Site::new(played, games);
    put("game.link", &game.proven(&game.games[0]));
    let (signed, games) = simulated("proven-signed", &["--signed"]);
    let signed = Site::new(signed, games);
    put("result.link", &signed.proven(&signed.games[0]));
}
