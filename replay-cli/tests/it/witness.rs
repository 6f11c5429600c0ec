//! Witnesses: cosignatures of checkpoints that go on, the protocol over HTTP, the quorum of a policy, and `compare`.

use crate::common::{Ran, command, directory, key, logs};
use canasta_replay::Exit;
use canasta_tournament::checkpoint::Checkpoint;
use canasta_tournament::cosign::{Cosigned, WitnessKey, cosign};
use canasta_tournament::key_file;
use canasta_tournament::note::NoteSigner;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A tournament with witnesses.
struct Scene {
    place: PathBuf,
    key: String,
    public: String,
}

impl Scene {
    fn new(name: &str) -> Self {
        let place = directory(name);
        let (key, public) = key(&place, "open-2026.example", 1);
        logs(&place.join("tables"), 6);
        Self { place, key, public }
    }

    fn path(&self, name: &str) -> String {
        self.place.join(name).to_str().unwrap().to_owned()
    }

    /// Publishes the tables `first..end` in a site.
    fn publish(&self, site: &str, tables: std::ops::Range<u32>, more: &[&str]) -> Ran {
        let logs: Vec<String> = tables.map(|n| self.path(&format!("tables/table-{n}.clog"))).collect();
        let logs: Vec<&str> = logs.iter().map(String::as_str).collect();
        let site = self.path(site);
        command(&[&["publish", "--key", &self.key, "-o", &site], more, &logs].concat(), b"")
    }

    /// Returns a witness: its signer and the file of its key.
    fn witness(&self, number: u8) -> (NoteSigner, String) {
        let signer = NoteSigner::new(&format!("w{number}.example"), &[number; 32]).unwrap();
        let path = self.path(&format!("w{number}.key"));
        if !self.place.join(format!("w{number}.key")).exists() {
            key_file::write_new(path.as_ref(), &signer).unwrap();
        }
        (signer, path)
    }

    fn cosign(&self, number: u8, site: &str) -> Ran {
        let (_, key) = self.witness(number);
        let (site, state) = (self.path(site), self.path(&format!("w{number}.json")));
        command(&["witness", &site, "--state", &state, "--key", &key, "--log", &self.public], b"")
    }

    /// Writes a policy that promises a quorum of witnesses.
    fn policy(&self, numbers: &[u8], quorum: usize) -> String {
        let keys = numbers.iter().map(|&number| format!("\"{}\"", WitnessKey::of(&self.witness(number).0)));
        let keys = keys.collect::<Vec<_>>().join(", ");
        let path = self.path(&format!("policy-{quorum}-of-{}.toml", numbers.len()));
        let text =
            format!("format = \"canasta-policy/1\"\n[witnesses]\nkeys = [{keys}]\nquorum = {quorum}\n");
        fs::write(&path, text).unwrap();
        path
    }

    /// Returns the kinds of faults of a site under a policy, and the report.
    fn faults(&self, site: &str, policy: &str) -> (BTreeSet<String>, Value) {
        let site = self.path(site);
        let args = ["audit-tournament", &site, "--key", &self.public, "--policy", policy, "--format", "json"];
        let report: Value = serde_json::from_slice(&command(&args, b"").out).expect("JSON");
        let kinds =
            report["faults"].as_array().unwrap().iter().map(|of| of["kind"].as_str().unwrap().to_owned());
        (kinds.collect(), report)
    }

    fn append(&self, site: &str, line: &str) {
        let path = self.place.join(site).join("checkpoint");
        let note = fs::read_to_string(&path).unwrap();
        fs::write(path, note + line).unwrap();
    }
}

/// A witness in a process of its own.
struct Listening {
    child: Child,
    port: u16,
}

impl Listening {
    fn start(scene: &Scene, number: u8) -> Self {
        Self::on("127.0.0.1:0", scene, number)
    }

    fn on(address: &str, scene: &Scene, number: u8) -> Self {
        let (_, key) = scene.witness(number);
        let state = scene.path(&format!("w{number}.json"));
        let args = ["witness", "--listen", address, "--state", &state, "--key", &key, "--log", &scene.public];
        let program = Command::new(env!("CARGO_BIN_EXE_canasta-replay"));
        let mut child = { program }.args(args).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let port = line.trim().rsplit_once(':').expect("an address").1.parse().unwrap();
        Self { child, port }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    /// Sends a request as written, and returns the answer as written.
    fn send(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        // The server may break the connection off in the middle of a request that is too long.
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    fn post(&self, body: &str) -> (u16, String) {
        let length = body.len();
        let head = format!(
            "POST /add-checkpoint HTTP/1.1\r\nhost: w\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
        );
        let answer = self.send(format!("{head}{body}").as_bytes());
        let status = answer.split(' ').nth(1).expect("a status").parse().unwrap();
        (status, answer)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set(kinds: &[&str]) -> BTreeSet<String> {
    kinds.iter().map(|kind| (*kind).to_owned()).collect()
}

#[test]
fn a_witness_cosigns_what_goes_on_and_nothing_else() {
    let scene = Scene::new("witness-offline");
    scene.publish("site", 0..2, &[]);
    let policy = scene.policy(&[11, 12, 13], 2);
    assert_eq!(scene.faults("site", &policy).0, set(&["WITNESS"]));
    for number in [11, 12] {
        let ran = scene.cosign(number, "site");
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        scene.append("site", std::str::from_utf8(&ran.out).unwrap());
    }
    let (kinds, report) = scene.faults("site", &policy);
    assert_eq!((kinds, report["cosigned_by"].as_array().unwrap().len()), (set(&[]), 2), "{report}");
    // A signature of one witness, changed; one of the two is left.
    let path = scene.place.join("site/checkpoint");
    let whole = fs::read_to_string(&path).unwrap();
    let forged = cosign(&scene.witness(12).0, "another\n1\nAA==\n", 1);
    let kept: String = whole.split_inclusive('\n').filter(|line| !line.contains("w12")).collect();
    fs::write(&path, kept + &forged).unwrap();
    assert_eq!(scene.faults("site", &policy).0, set(&["WITNESS"]));
    fs::write(&path, whole).unwrap();

    // The tree grows: cosigned again. A fork of the same size, a fork of more entries, and an older tree are not.
    fs::copy(&path, scene.place.join("old")).unwrap();
    fs::create_dir_all(scene.place.join("older")).unwrap();
    scene.publish("older", 0..1, &[]);
    scene.publish("site", 2..4, &[]);
    assert_eq!(scene.cosign(11, "site").exit, Exit::Clean);
    assert_eq!(scene.cosign(11, "site").exit, Exit::Clean, "the same again");
    for (site, tables, said) in
        [("same-size", 2..6, "FORKED"), ("longer", 1..6, "FORKED"), ("older", 0..1, "ROLLED_BACK")]
    {
        scene.publish(site, tables, &[]);
        let ran = scene.cosign(11, site);
        assert!(ran.exit == Exit::Findings && ran.err.contains(said), "{site}: {ran:?}");
    }
    assert_eq!(scene.cosign(11, "site").exit, Exit::Clean, "what is refused changes nothing");
    // Another key; a state that cannot be read is never taken for none.
    let (_, key) = scene.witness(11);
    let (_, stranger) = crate::common::key(&scene.place, "open-2026.example", 9);
    let (site, state) = (scene.path("site"), scene.path("w11.json"));
    let ran = command(&["witness", &site, "--state", &state, "--key", &key, "--log", &stranger], b"");
    assert!(ran.exit == Exit::Findings && ran.err.contains("not signed by --log"), "{ran:?}");
    fs::write(&state, "{").unwrap();
    assert_eq!(scene.cosign(11, "site").exit, Exit::Failure);
}

/// Checks that `publish --witness` puts the cosignatures under the checkpoint and into the proofs. A witness that does not answer is a
/// finding, and no stop.
#[test]
fn publish_asks_witnesses() {
    let scene = Scene::new("witness-publish");
    let (first, second) = (Listening::start(&scene, 21), Listening::start(&scene, 22));
    let policy = scene.policy(&[21, 22, 23], 2);
    let (one, two) = (first.url(), second.url());
    let asked = ["--policy", policy.as_str(), "--witness", &one, "--witness", &two];
    for tables in [0..1, 1..3, 3..4] {
        let ran = scene.publish("site", tables, &asked);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        assert_eq!(scene.faults("site", &policy).0, set(&[]));
    }
    // Every proof has the cosignatures of its checkpoint.
    let proofs = fs::read_dir(scene.place.join("site/games")).unwrap().map(|file| file.unwrap().path());
    let proofs: Vec<PathBuf> =
        proofs.filter(|path| path.extension().is_some_and(|of| of == "tlog-proof")).collect();
    for proof in &proofs {
        let args = ["audit-tournament", proof.to_str().unwrap(), "--key", &scene.public, "--policy", &policy];
        let ran = command(&args, b"");
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }
    assert_eq!(proofs.len(), 4);
    // One witness is gone, and one never answers: published, named, in time.
    drop(second);
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mute = format!("http://{}", silent.local_addr().unwrap());
    let ran = scene.publish("site", 4..5, &[&asked[..], &["--witness", &mute]].concat());
    assert_eq!(ran.exit, Exit::Findings, "{ran:?}");
    assert!(ran.err.contains("cannot connect") && ran.err.contains("no answer within 5 s"), "{ran:?}");
    assert!(String::from_utf8_lossy(&ran.out).contains("5 entries"), "{ran:?}");
    assert_eq!(scene.faults("site", &policy).0, set(&["WITNESS"]), "one of two");
    // A program that looks once and ends says the same; one that goes on asks again with the next checkpoint.
    let (tables, watched) = (scene.path("tables"), scene.path("watched"));
    let look = ["publish", "--watch", "--once", &tables, "--key", &scene.key, "-o", &watched];
    let ran = command(&[&look[..], &asked].concat(), b"");
    assert!(ran.exit == Exit::Findings && ran.err.contains("cannot connect"), "{ran:?}");
    // The operator publishes a second tree: the witness, who saw the first, does not sign it.
    let ran = scene.publish("second", 3..6, &["--policy", &policy, "--witness", &one]);
    assert!(ran.exit == Exit::Findings && ran.err.contains("has seen 5 entries"), "{ran:?}");
    let ran = scene.publish("third", 1..6, &["--policy", &policy, "--witness", &one]);
    assert!(ran.exit == Exit::Findings && ran.err.contains("one of the two is a fork"), "{ran:?}");
    // An answer by a key that the policy does not name is none.
    let other = scene.policy(&[24], 1);
    let ran = scene.publish("site", 5..6, &["--policy", &other, "--witness", &one]);
    assert!(ran.exit == Exit::Findings && ran.err.contains("no signature by a key of the policy"), "{ran:?}");
}

/// Checks that status codes and bodies are those of C2SP tlog-witness.
#[test]
fn the_protocol_is_that_of_c2sp() {
    let scene = Scene::new("witness-protocol");
    scene.publish("site", 0..3, &[]);
    let note = fs::read_to_string(scene.place.join("site/checkpoint")).unwrap();
    let server = Listening::start(&scene, 31);
    let (status, answer) = server.post(&format!("old 0\n\n{note}"));
    assert_eq!(status, 200, "{answer}");
    let line = answer.split("\r\n\r\n").nth(1).unwrap();
    let witness = WitnessKey::of(&scene.witness(31).0);
    assert!(matches!(witness.open(&format!("{note}{line}")), Cosigned::At(time) if time > 1_700_000_000));
    let (status, answer) = server.post(&format!("old 0\n\n{note}"));
    assert_eq!(status, 409);
    assert!(
        answer.to_lowercase().contains("content-type: text/x.tlog.size") && answer.ends_with("\r\n\r\n3\n"),
        "{answer}"
    );
    assert_eq!(server.post(&format!("old 3\n\n{note}")).0, 200, "the same again");
    assert_eq!(server.post(&format!("old 4\n\n{note}")).0, 400, "older than what is said to be seen");
    let other = NoteSigner::new("open-2026.example", &[9; 32]).unwrap();
    let body = Checkpoint::parse(&note).unwrap().body();
    assert_eq!(server.post(&format!("old 3\n\n{}", other.sign(&body))).0, 403);
    let unknown =
        NoteSigner::new("other.example", &[1; 32]).unwrap().sign(&body.replace("open-2026", "other"));
    assert_eq!(server.post(&format!("old 0\n\n{unknown}")).0, 404);
    let operator = NoteSigner::new("open-2026.example", &[1; 32]).unwrap();
    let fork = Checkpoint { root: [7; 32], ..Checkpoint::parse(&note).unwrap() };
    assert_eq!(
        server.post(&format!("old 3\n\n{}", operator.sign(&fork.body()))).0,
        409,
        "a fork of the same size"
    );
    let longer = Checkpoint { size: 5, ..fork };
    let proof = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
    assert_eq!(server.post(&format!("old 3\n{proof}\n{}", operator.sign(&longer.body()))).0, 422);
    for bad in
        ["", "old 3", "old 03\n\n", "old x\n\nx", "\n\n", &format!("old 3\n{}\n{note}", proof.repeat(64))]
    {
        assert_eq!(server.post(bad).0, 400, "{bad:?}");
    }
    assert_eq!(server.post(&"x".repeat(1 << 18)).0, 413);
    assert!(
        server
            .send(b"GET /add-checkpoint HTTP/1.1\r\nhost: w\r\nconnection: close\r\n\r\n")
            .starts_with("HTTP/1.1 405")
    );
    assert!(
        server
            .send(b"POST / HTTP/1.1\r\nhost: w\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
            .starts_with("HTTP/1.1 404")
    );
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(1 << 16));
    assert!(!server.send(long.as_bytes()).starts_with("HTTP/1.1 200"));
    // A witness with the same state cannot run beside it: together they could sign a fork.
    let ran = scene.cosign(31, "site");
    assert!(ran.exit == Exit::Failure && ran.err.contains("another witness uses this state"), "{ran:?}");
}

/// Checks that a witness listens on an address of IPv6, where the machine has one, and is asked there.
#[test]
fn a_witness_is_asked_by_ipv6() {
    if TcpListener::bind("[::1]:0").is_err() {
        return;
    }
    let scene = Scene::new("witness-ipv6");
    let server = Listening::on("[::1]:0", &scene, 41);
    let (policy, url) = (scene.policy(&[41], 1), format!("http://[::1]:{}", server.port));
    let ran = scene.publish("site", 0..2, &["--policy", &policy, "--witness", &url]);
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    assert_eq!(scene.faults("site", &policy).0, set(&[]));
}

/// Checks that connections that say nothing, or never end what they say, hold no more places than there are, and none for
/// long: a server has 64, and waits 5 s for a client's next bytes.
#[test]
fn silent_clients_do_not_hold_a_witness() {
    let scene = Scene::new("witness-silent");
    scene.publish("site", 0..1, &[]);
    let note = fs::read_to_string(scene.place.join("site/checkpoint")).unwrap();
    let server = Listening::start(&scene, 42);
    let connect = || TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let mut silent: Vec<TcpStream> = (0..64).map(|_| connect()).collect();
    for half in &mut silent[..32] {
        half.write_all(b"POST /add-checkpoint HTTP/1.1\r\ncontent-length: 9\r\n\r\nold").unwrap();
    }
    // One more is closed at once, and not held.
    let mut beyond = connect();
    beyond.set_read_timeout(Some(Duration::from_secs(4))).unwrap();
    assert!(matches!(beyond.read(&mut [0; 9]), Ok(0)), "no place is left");
    // All of the others are told or closed; then the next caller is served.
    for mut stream in silent {
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut told = Vec::new();
        let _ = stream.read_to_end(&mut told);
        assert!(told.is_empty() || told.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&told));
    }
    assert_eq!(server.post(&format!("old 0\n\n{note}")).0, 200);
}

/// Checks that a leaf that claims a later time than the witnesses have signed is found.
#[test]
fn claimed_times_are_not_later_than_witnesses() {
    let scene = Scene::new("witness-times");
    scene.publish("site", 0..1, &["--end"]);
    let note = fs::read_to_string(scene.place.join("site/checkpoint")).unwrap();
    let body = Checkpoint::parse(&note).unwrap().body();
    let policy = scene.policy(&[41], 1);
    scene.append("site", &cosign(&scene.witness(41).0, &body, 1_769_860_800));
    assert_eq!(scene.faults("site", &policy).0, set(&["TIME"]), "the witness signed in January");
    fs::write(scene.place.join("site/checkpoint"), note).unwrap();
    scene.append("site", &cosign(&scene.witness(41).0, &body, u64::from(u32::MAX)));
    assert_eq!(scene.faults("site", &policy).0, set(&[]));
}

#[test]
fn two_checkpoints_are_equal_one_begins_the_other_or_they_fork() {
    let scene = Scene::new("witness-compare");
    scene.publish("site", 0..2, &[]);
    fs::copy(scene.place.join("site/checkpoint"), scene.place.join("two")).unwrap();
    scene.publish("site", 2..4, &[]);
    fs::copy(scene.place.join("site/checkpoint"), scene.place.join("four")).unwrap();
    scene.publish("other", 2..4, &[]);
    scene.publish("longer", 2..6, &[]);
    let compare = |a: &str, b: &str| {
        let ran = command(&["compare", &scene.path(a), &scene.path(b), "--key", &scene.public], b"");
        (ran.exit, String::from_utf8(ran.out).unwrap() + &ran.err)
    };
    for (a, b, exit, said) in [
        ("two", "two", Exit::Clean, "equal: 2 entries"),
        ("four", "site", Exit::Clean, "equal: 4 entries"),
        ("two", "site", Exit::Clean, "prefix: 2 entries begin 4 entries"),
        ("site", "two", Exit::Clean, "prefix: 2 entries begin 4 entries"),
        ("two", "other/checkpoint", Exit::Findings, "FORK: 2 entries and 2 entries"),
        ("two", "longer", Exit::Findings, "FORK: 2 entries and 4 entries"),
        ("two", "four", Exit::Failure, "only the published directory of the larger tree"),
        ("two", "tables/table-0.clog", Exit::Failure, "table-0.clog"),
    ] {
        let (found, out) = compare(a, b);
        assert!(found == exit && out.contains(said), "{a} {b}: {found:?} {out}");
    }
    let proof = fs::read_dir(scene.place.join("site/games")).unwrap().map(|file| file.unwrap().path());
    let proof = { proof }.find(|path| path.extension().is_some_and(|of| of == "tlog-proof")).unwrap();
    let ran = command(&["compare", proof.to_str().unwrap(), &scene.path("site")], b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    let (_, stranger) = key(&scene.place, "open-2026.example", 9);
    let ran = command(&["compare", &scene.path("two"), &scene.path("two"), "--key", &stranger], b"");
    assert_eq!(ran.exit, Exit::Findings);
}
