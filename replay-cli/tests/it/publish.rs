//! `publish` on a site that is there: what it refuses, and what it leaves as it is.

use crate::common::{Ran, command, directory, key, logs};
use canasta_replay::Exit;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A place with four logs, a key, and a site that has none of them yet.
struct Club {
    place: PathBuf,
    logs: Vec<String>,
    key: String,
    public: String,
}

impl Club {
    fn new(name: &str) -> Self {
        let place = directory(name);
        let (key, public) = key(&place, "club.example", 1);
        let logs =
            logs(&place.join("tables"), 4).iter().map(|log| log.to_str().unwrap().to_owned()).collect();
        Self { place, logs, key, public }
    }

    fn path(&self, name: &str) -> String {
        self.place.join(name).to_str().unwrap().to_owned()
    }

    /// Publishes the logs of these numbers on a site.
    fn publish(&self, site: &str, logs: &[usize], more: &[&str]) -> Ran {
        let site = self.path(site);
        let logs: Vec<&str> = logs.iter().map(|&log| &*self.logs[log]).collect();
        command(&[&["publish", "--key", &self.key, "-o", &site], &logs[..], more].concat(), b"")
    }

    fn published(&self, site: &str, logs: &[usize]) {
        let ran = self.publish(site, logs, &[]);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }

    /// Returns each file of a site.
    fn files(&self, site: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![self.place.join(site)]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(self.place.join(site)).unwrap().to_owned();
                    files.insert(name, fs::read(path).unwrap());
                }
            }
        }
        files
    }

    /// Checks that a command is refused with this reason, and changes no file of a site.
    fn refused(&self, site: &str, logs: &[usize], more: &[&str], reason: &str) {
        let before = self.files(site);
        let ran = self.publish(site, logs, more);
        assert_eq!(ran.exit, Exit::Findings, "{reason}: {ran:?}");
        assert!(ran.err.contains(reason) && ran.err.contains("nothing was published"), "{reason}: {ran:?}");
        assert!(self.files(site) == before, "{reason}: the site is as it was");
    }
}

#[test]
fn a_log_with_findings_is_named_and_nothing_is_published() {
    let club = Club::new("publish-findings");
    club.published("site", &[0]);
    let mut damaged = fs::read(&club.logs[2]).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    fs::write(&club.logs[2], damaged).unwrap();
    // The sound log beside it stays away too.
    club.refused("site", &[1, 2], &[], "table-2.clog: ");
    let ran = club.publish("site", &[1, 2], &["--with-findings"]);
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    assert!(String::from_utf8_lossy(&ran.out).starts_with("published 2 games "), "{ran:?}");
    let entries = &club.files("site")[Path::new("tile/entries/000.p/3")];
    assert!(
        String::from_utf8_lossy(entries).contains("\"verdict\":\"ALTERED\""),
        "the entry has the verdict"
    );
}

/// Keeps the checkpoint of two games: the site of one of them, one with two others, and a lost one do not extend it.
#[test]
fn a_tree_that_does_not_extend_the_kept_checkpoint_is_not_signed() {
    let club = Club::new("publish-since");
    for (site, logs) in [("site", &[0, 1][..]), ("old", &[0]), ("fork", &[0, 2])] {
        club.published(site, logs);
    }
    let kept = club.path("kept.checkpoint");
    fs::copy(club.path("site/checkpoint"), &kept).unwrap();
    let since = ["--since", &*kept];
    club.refused("old", &[0, 1], &since, "ROLLED_BACK in ");
    club.refused("fork", &[0, 1, 2, 3], &since, "FORKED in ");
    fs::create_dir(club.place.join("lost")).unwrap();
    let ran = club.publish("lost", &[0, 1], &since);
    assert!(ran.exit == Exit::Findings && ran.err.contains("CHECKPOINT in "), "{ran:?}");
    assert!(!club.place.join("lost/checkpoint").exists());
    // What extends it is signed, also when it has grown since.
    for log in [2, 3] {
        let ran = club.publish("site", &[log], &since);
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
    }
}

/// Publishes game after game, with a witness of each checkpoint but the last.
#[test]
fn only_the_checkpoint_changes_and_what_is_cosigned_grows() {
    let club = Club::new("publish-further");
    let (site, private) = (club.path("site"), club.path("w.key"));
    let made = command(&["keygen", "w.example", "--witness", "-o", &private], b"");
    assert_eq!(made.exit, Exit::Clean, "{made:?}");
    club.published("site", &[0]);
    let mut grown = 0;
    for game in 1..4 {
        let state = club.path("w.json");
        let ran =
            command(&["witness", &site, "--state", &state, "--key", &private, "--log", &club.public], b"");
        assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
        let line = String::from_utf8(ran.out).unwrap();
        let checkpoint = club.place.join("site/checkpoint");
        fs::write(&checkpoint, fs::read_to_string(&checkpoint).unwrap() + &line).unwrap();
        let before = club.files("site");
        club.published("site", &[game]);
        let after = club.files("site");
        for (name, bytes) in &before {
            let now = after.get(name).unwrap_or_else(|| panic!("{} is gone", name.display()));
            if name.starts_with("cosigned") {
                assert!(now.starts_with(bytes) && now.len() > bytes.len(), "{} goes on", name.display());
                grown += 1;
            } else {
                assert_eq!(now != bytes, name == Path::new("checkpoint"), "{}", name.display());
            }
        }
        // The log and its proof, a tile and its entries; with the first checkpoint that has a witness, the file of those.
        assert_eq!(after.len() - before.len(), if game == 1 { 5 } else { 4 }, "{:?}", after.keys());
    }
    assert_eq!(grown, 2);
    let key = ["--key", &club.public];
    let ran = command(&[&["audit-tournament", &site], &key[..]].concat(), b"");
    assert_eq!(ran.exit, Exit::Clean, "{ran:?}");
}

/// Gives `publish`, `sign` and `witness` a key that others can read or write, then one that they cannot.
#[cfg(unix)]
#[test]
fn a_private_key_that_others_can_use_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let club = Club::new("publish-keys");
    club.published("site", &[0]);
    let (site, state) = (club.path("site"), club.path("w.json"));
    let witness = club.path("w.key");
    assert_eq!(command(&["keygen", "w.example", "--witness", "-o", &witness], b"").exit, Exit::Clean);
    let signs = ["sign", &club.logs[1], "--key", &club.key, "--force"];
    let publishes = ["publish", &club.logs[1], "--key", &club.key, "-o", &site];
    let witnesses = ["witness", &site, "--state", &state, "--key", &witness, "--log", &club.public];
    for (args, key) in [(&signs[..], &club.key), (&publishes, &club.key), (&witnesses, &witness)] {
        let with = |mode: u32| {
            fs::set_permissions(key, fs::Permissions::from_mode(mode)).unwrap();
            command(args, b"")
        };
        for mode in [0o640, 0o604, 0o620, 0o644, 0o777] {
            let ran = with(mode);
            assert!(ran.exit == Exit::Failure && ran.out.is_empty(), "{mode:o}: {ran:?}");
            assert!(ran.err.contains("others can use this key: chmod 600 it first"), "{mode:o}: {ran:?}");
        }
        assert!(!club.place.join("tables/table-1.clog.note").exists(), "nothing is signed");
        for mode in [0o600, 0o400] {
            let ran = with(mode);
            assert_eq!(ran.exit, Exit::Clean, "{mode:o}: {ran:?}");
        }
        let _ = fs::remove_file(club.place.join("tables/table-1.clog.note"));
    }
}
