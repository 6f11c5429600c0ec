//! The frame and the style of the HTML pages without the table, and texts from outside as markup.
//!
//! `maud` escapes markup. Characters that steer terminals or the direction of writing are spelled out here.

use crate::shared::table::TextTable;
use base64ct::{Base64, Encoding};
use canasta_engine::violations::template::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("html/page.css");

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

/// Returns a page that loads nothing. `style` is added to the style of all pages, and `class` is that of the body.
pub fn page(title: &Markup, language: Language, style: &str, class: Option<&str>, body: &Markup) -> String {
    let style = format!("{STYLE}\n{style}");
    html! {
        (DOCTYPE) "\n"
        html lang=(language.tag()) {
            head {
                "\n" meta charset="utf-8";
                "\n" meta http-equiv="Content-Security-Policy" content=(policy(&style, "'none'"));
                "\n" meta name="viewport" content="width=device-width, initial-scale=1";
                "\n" meta name="referrer" content="no-referrer";
                "\n" title { (title) }
                "\n" style { (PreEscaped(style)) }
            }
            "\n"
            body class=[class] { (body) }
        }
    }
    .into_string()
}

/// Returns a content security policy that loads nothing, and allows only this style and scripts from these sources.
pub fn policy(style: &str, scripts: &str) -> String {
    let style = hash(style);
    format!(
        "default-src 'none'; style-src '{style}'; script-src {scripts}; base-uri 'none'; form-action 'none'"
    )
}

/// Returns the hash by which a policy names an inline style or script.
pub fn hash(text: &str) -> String {
    format!("sha256-{}", Base64::encode_string(&Sha256::digest(text)))
}

/// Returns a table that scrolls by itself where it is too wide.
pub fn table(table: &TextTable, title: &str) -> Markup {
    let class = |column: usize| table.is_text(column).then_some("text");
    html! {
        div class="scroll" tabindex="0" role="group" aria-label=(title) {
            table class="figures" {
                @if !table.head[0].is_empty() {
                    thead {
                        tr {
                            @for (column, head) in table.head.iter().enumerate() {
                                th scope="col" class=[class(column)] { (visible(head.trim_start())) }
                            }
                        }
                    }
                }
                tbody {
                    @for row in &table.rows {
                        tr {
                            @for (column, text) in row.iter().enumerate() {
                                @if column == 0 {
                                    th scope="row" { (visible(text.trim_start())) }
                                } @else {
                                    td class=[class(column)] { (visible(text.trim_start())) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_from_outside_is_markup() {
        let hostile = "</script><img src=x onerror='a'>&\u{202e}\u{1}\u{2066}";
        let html = html! { (visible(hostile)) }.into_string();
        assert!(!html.contains(['<', '>', '"', '\u{202e}', '\u{1}', '\u{2066}']), "{html}");
        assert!(html.contains("&lt;/script&gt;") && html.contains("\\u{202e}"), "{html}");
    }
}
