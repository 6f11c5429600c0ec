use std::sync::Arc;

use canasta_engine::deal::GameSecret;
use canasta_engine::game::{NewDeal, NewGame};
use canasta_engine::rules::Rules;

use super::*;

fn line(word: &str, byte: u8) -> String {
    format!("{word} {}\n", *key_text(&[byte; 32]))
}

#[test]
fn a_kept_secret_opens_for_its_game_alone() {
    let ring = |text: &str, audience| Keyring::parse(text, audience).expect("a ring");
    let (old, new) = (ring(&line("active", 1), "club"), line("active", 2) + &line("open-only", 1));
    let (game, secret) = (GameId([7; 16]), [9; 80]);
    let sealed = old.seal_secret(game, &secret);
    assert!(!sealed.windows(4).any(|part| part == [9; 4]), "it is encrypted");
    let rotated = ring(&new, "club");
    assert_eq!(rotated.open_secret(game, &sealed).map(|open| open.to_vec()), Ok(secret.to_vec()));
    let refused = |ring: &Keyring, game, sealed: &[u8]| ring.open_secret(game, sealed).err();
    assert_eq!(refused(&old, GameId([8; 16]), &sealed), Some(TokenRefusal::Altered));
    assert_eq!(refused(&ring(&new, "other"), game, &sealed), Some(TokenRefusal::Altered));
    assert_eq!(refused(&ring(&line("active", 2), "club"), game, &sealed), Some(TokenRefusal::UnknownKey));
    for at in 0..sealed.len() {
        let mut flipped = sealed.clone();
        flipped[at] ^= 1;
        assert!(refused(&old, game, &flipped).is_some(), "byte {at}");
        assert!(refused(&old, game, &sealed[..at]).is_some(), "cut off at {at}");
    }
}

/// Opens a state with a ring whose version of the service has other rules under the state's preset, or under another one.
#[test]
fn a_state_under_other_rules_of_its_preset_does_not_open() {
    let rules = Arc::new(Rules::preset("samba-4p").expect("a preset"));
    let preset = usize::from(rules.base().number());
    let deal = NewDeal::Seeded(GameSecret([2; 64]));
    let game = Game::create(NewGame::new(rules, GameId([1; 16]), deal)).expect("a game").game;
    let mut ring = Keyring::parse(&line("active", 1), "club").expect("a ring");
    let sealed = ring.seal(&game);
    assert_eq!(ring.open(&sealed).ok(), Some(token::encode(&game)));
    for bit in 0..256 {
        ring.presets[preset][bit / 8] ^= 1 << (bit % 8);
        assert_eq!(ring.open(&sealed).err(), Some(TokenRefusal::Altered), "bit {bit} of the digest");
        ring.presets[preset][bit / 8] ^= 1 << (bit % 8);
    }
    ring.presets[preset - 1] = [0; 32];
    assert!(ring.open(&sealed).is_ok(), "its own rules are as they were");
}

#[test]
fn rings_that_are_none_are_named() {
    let (active, other) = (line("active", 1), line("open-only", 2));
    let refused =
        |text: &str| Keyring::parse(text, "").err().map(|error| error.to_string()).unwrap_or_default();
    assert_eq!(refused(&format!("# keys\n\n{active}{other}")), "");
    assert_eq!(refused(""), "expected one active key, found 0");
    assert_eq!(refused(&other), "expected one active key, found 0");
    assert_eq!(refused(&format!("{active}{}", line("active", 2))), "expected one active key, found 2");
    assert_eq!(refused(&format!("{active}{active}")), "line 2: the key occurs twice");
    let another = active.replace("96432c80", "96432c81");
    for bad in
        ["active", "active x", &active[..40], &line("closed", 1), &active.replace("SEAL", "sea"), &another]
    {
        assert!(refused(bad).starts_with("line 1: expected active"), "{bad:?}: {}", refused(bad));
        assert!(!refused(bad).contains("AQEB"), "an error shows no key");
    }
    let many: String = (0..65).map(|byte| line(if byte == 0 { "active" } else { "revoked" }, byte)).collect();
    assert_eq!(refused(&many), "expected at most 64 keys");
}
