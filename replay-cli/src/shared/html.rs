//! The head and the style of all HTML pages, and names, cards and texts from outside as markup.
//!
//! `maud` escapes markup. Characters that steer terminals or the direction of writing are spelled out here.

use crate::shared::text::PlayerNames;
use base64ct::{Base64, Encoding};
use canasta_engine::card::Card;
use canasta_engine::seat::Seat;
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

/// The board's style comes first, so that the page can change it.
const STYLE: &str = concat!(include_str!("../../built/board.css"), include_str!("html/page.css"));

/// Returns the text with every character spelled out that changes how other characters are shown, or where.
pub fn visible(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        if steers(c) {
            visible.extend(c.escape_unicode());
        } else {
            visible.push(c);
        }
    }
    visible
}

/// Returns whether a character changes how other characters are shown, or where.
fn steers(c: char) -> bool {
    let bidirectional =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    bidirectional || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') || c.is_control()
}

/// Returns a name, which may be written from right to left.
pub fn name(text: &str) -> Markup {
    html! { bdi { (visible(text)) } }
}

/// Returns a text of ours, with names for placeholders (`{2}`) and pictures for cards (`7h`).
pub fn rich(text: &str, names: &PlayerNames) -> Markup {
    html! {
        @for (i, word) in text.split(' ').enumerate() {
            @if i > 0 { " " }
            (rich_word(word, names))
        }
    }
}

fn rich_word(word: &str, names: &PlayerNames) -> Markup {
    let bare = word.trim_end_matches([',', ';', ':', '.', '?', ')']).trim_start_matches('(');
    match card(bare) {
        Some(card) => {
            let at = word.find(bare).unwrap_or(0);
            html! { (visible(&word[..at])) (chip(card)) (visible(&word[at + bare.len()..])) }
        }
        None => with_names(word, names),
    }
}

fn with_names(word: &str, names: &PlayerNames) -> Markup {
    let Some(at) = word.find('{') else { return html! { (visible(word)) } };
    let bytes = word.as_bytes();
    match (bytes.get(at + 1), bytes.get(at + 2)) {
        (Some(digit @ b'0'..=b'5'), Some(b'}')) => html! {
            (visible(&word[..at])) (name(&names.seat(Seat(digit - b'0')))) (with_names(&word[at + 3..], names))
        },
        _ => html! { (visible(&word[..=at])) (with_names(&word[at + 1..], names)) },
    }
}

/// Parses a card in its one spelling: other words stay words.
fn card(word: &str) -> Option<Card> {
    Card::parse(word).filter(|card| card.to_string() == word)
}

/// Returns a card as it stands in a line of text.
fn chip(card: Card) -> Markup {
    let (suit, class) = match card.suit() {
        None => return html! { span class="chip joker" { "Joker" } },
        Some(0) => ('♣', "chip"),
        Some(1) => ('♦', "chip red"),
        Some(2) => ('♥', "chip red"),
        Some(_) => ('♠', "chip"),
    };
    let rank = match card.rank().letter() {
        'T' => "10".to_owned(),
        letter => letter.to_string(),
    };
    html! { span class=(class) { (rank) (suit) "\u{fe0e}" } }
}

/// Returns the head of a page that loads nothing.
pub fn head(title: &Markup, style: &str, script: Option<&str>) -> Markup {
    html! {
        head {
            "\n" meta charset="utf-8";
            "\n" meta http-equiv="Content-Security-Policy" content=(policy(style, script));
            "\n" meta name="viewport" content="width=device-width, initial-scale=1";
            "\n" meta name="referrer" content="no-referrer";
            "\n" title { (title) }
            "\n" style { (PreEscaped(style)) }
        }
        "\n"
    }
}

/// Returns the style of all pages.
pub fn style() -> &'static str {
    STYLE
}

/// Returns a content security policy that loads nothing, and allows only this style and this script.
pub fn policy(style: &str, script: Option<&str>) -> String {
    let script = script.map_or_else(|| "none".to_owned(), hash);
    format!(
        "default-src 'none'; style-src '{}'; script-src '{script}'; base-uri 'none'; form-action 'none'",
        hash(style)
    )
}

/// Returns the hash by which a policy names an inline style or script.
fn hash(text: &str) -> String {
    format!("sha256-{}", Base64::encode_string(&Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::rules::PresetId;

    fn names() -> PlayerNames {
        PlayerNames::placeholders(&PresetId::from_name("classic-4p").expect("a preset").rule_set(), None)
    }

    #[test]
    fn nothing_from_outside_is_markup() {
        let hostile = "</script><img src=x onerror='a'>&\u{202e}\u{1}\u{2066}";
        let html = html! { (visible(hostile)) }.into_string();
        assert!(!html.contains(['<', '>', '"', '\u{202e}', '\u{1}', '\u{2066}']), "{html}");
        assert!(html.contains("&lt;/script&gt;") && html.contains("\\u{202e}"), "{html}");
    }

    #[test]
    fn cards_and_names_are_drawn_and_words_are_not() {
        assert!(
            rich("discards 7h", &names())
                .into_string()
                .contains("<span class=\"chip red\">7♥\u{fe0e}</span>")
        );
        assert!(
            rich("As X, as", &names()).into_string().ends_with("<span class=\"chip joker\">Joker</span>, as")
        );
        assert_eq!(rich("{0}-{2} {9} {", &names()).into_string(), "<bdi>{0}</bdi>-<bdi>{2}</bdi> {9} {");
    }
}
