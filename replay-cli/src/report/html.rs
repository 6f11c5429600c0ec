//! Text as HTML that cannot become anything else.

use crate::text::PlayerNames;
use canasta_engine::card::Card;
use canasta_engine::seat::Seat;

/// The text with everything escaped that HTML gives a meaning; what steers terminals and the direction of writing
/// is spelled out.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c if steers(c) => escaped.extend(c.escape_unicode()),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Whether a character changes how others are shown, or where they stand.
fn steers(c: char) -> bool {
    let bidirectional =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    bidirectional || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') || c.is_control()
}

/// A name, which may be written from right to left.
pub fn name(text: &str) -> String {
    format!("<bdi>{}</bdi>", escape(text))
}

/// A text of the page's own, with names for `{2}` and cards for `7h`.
pub fn rich(text: &str, names: &PlayerNames) -> String {
    let mut html = String::new();
    for (i, word) in text.split(' ').enumerate() {
        if i > 0 {
            html.push(' ');
        }
        html += &rich_word(word, names);
    }
    html
}

fn rich_word(word: &str, names: &PlayerNames) -> String {
    let bare = word.trim_end_matches([',', ';', ':', '.', '?', ')']).trim_start_matches('(');
    if let Some(card) = card(bare) {
        let at = word.find(bare).unwrap_or(0);
        return format!("{}{}{}", escape(&word[..at]), chip(card), escape(&word[at + bare.len()..]));
    }
    let mut html = String::new();
    let mut rest = word;
    while let Some(at) = rest.find('{') {
        html += &escape(&rest[..at]);
        let bytes = rest.as_bytes();
        match (bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(digit @ b'0'..=b'5'), Some(b'}')) => {
                html += &name(&names.seat(Seat(digit - b'0')));
                rest = &rest[at + 3..];
            }
            _ => {
                html.push('{');
                rest = &rest[at + 1..];
            }
        }
    }
    html + &escape(rest)
}

/// Cards are written in one way only: other words stay words.
fn card(word: &str) -> Option<Card> {
    Card::parse(word).filter(|card| card.to_string() == word)
}

/// A card in a line of text.
fn chip(card: Card) -> String {
    let (suit, red) = match card.suit() {
        None => return "<span class=\"chip joker\">Joker</span>".into(),
        Some(0) => ('♣', false),
        Some(1) => ('♦', true),
        Some(2) => ('♥', true),
        Some(_) => ('♠', false),
    };
    let rank = match card.rank().letter() {
        'T' => "10".to_owned(),
        letter => letter.to_string(),
    };
    format!("<span class=\"chip{}\">{rank}{suit}\u{fe0e}</span>", if red { " red" } else { "" })
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
        let html = escape(hostile);
        assert!(!html.contains(['<', '>', '"', '\'', '\u{202e}', '\u{1}', '\u{2066}']), "{html}");
        assert!(html.contains("&lt;/script&gt;") && html.contains("\\u{202e}"), "{html}");
    }

    #[test]
    fn cards_and_names_are_drawn_and_words_are_not() {
        assert!(rich("discards 7h", &names()).contains("<span class=\"chip red\">7♥\u{fe0e}</span>"));
        assert!(rich("As X, as", &names()).ends_with("<span class=\"chip joker\">Joker</span>, as"));
        assert_eq!(rich("{0}-{2} {9} {", &names()), "<bdi>{0}</bdi>-<bdi>{2}</bdi> {9} {");
    }
}
