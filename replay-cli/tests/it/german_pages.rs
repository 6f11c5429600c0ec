//! Statistics in German: each text of a page has its German.

use crate::common::{command, directory};
use std::fs;

/// Returns the texts of a page outside its head.
fn texts(page: &str) -> Vec<&str> {
    let body = &page[page.find("<body").expect("a body")..];
    body.split('<')
        .filter_map(|part| Some(part.split_once('>')?.1.trim()))
        .filter(|text| !text.is_empty())
        .collect()
}

/// Checks that each text is in German but names, codes, numbers and what both languages call alike.
#[test]
fn statistics_are_german() {
    let place = directory("german-pages");
    let text = place.to_str().expect("text");
    for preset in ["classic-4p", "samba-4p", "hand-and-foot-4p"] {
        fs::create_dir_all(place.join(preset)).expect("a directory");
        let games = ["simulate", "--ruleset", preset, "--seed", "7", "--games", "2", "--out"];
        command(&[&games[..], &[place.join(preset).to_str().expect("text")]].concat(), b"");
    }
    fs::write(place.join("wrong.clog"), b"no log").expect("written");
    let [english, german] = ["en", "de"].map(|language| {
        let html = place.join(format!("{language}.html"));
        command(&["stats", text, "--lang", language, "--html", html.to_str().expect("text")], b"");
        fs::read_to_string(html).expect("a page")
    });
    assert!(german.contains("<html lang=\"de\">") && german.contains("Woher Punkte kommen"));
    let (english, german) = (texts(&english), texts(&german));
    assert_eq!(english.len(), german.len());
    let same = english.iter().zip(german).filter(|(english, german)| *english == german);
    let is_word = |text: &&&str| {
        let is_id = text.contains("-4p") || text.contains("canasta-replay") || text.contains(".clog");
        text.chars().any(|c| c.is_ascii_lowercase()) && !is_id && !text.contains("NOT_A_LOG")
    };
    let same: Vec<&str> = same.map(|(english, _)| *english).filter(|text| is_word(&text)).collect();
    let alike = ["Canastas", "median", "wild", "p", "West"];
    assert_eq!(same.into_iter().filter(|text| !alike.contains(text)).collect::<Vec<_>>(), Vec::<&str>::new());
    let said = command(&["stats", text, "--lang", "de"], b"").out;
    assert!(String::from_utf8_lossy(&said).contains("Mittel je Runde"));
}
