//! The table of results as a page for the wall and the phone: one file that loads nothing.

use super::results::EventResults;
use super::text::{heading, sections};
use super::words::Words;
use crate::shared::html::{head, style, table, visible};
use maud::{DOCTYPE, html};

const STYLE: &str = include_str!("page.css");

pub fn page(results: &EventResults<'_>, words: Words) -> String {
    let style = format!("{}\n{STYLE}", style());
    let title = html! { (visible(&results.event.file.name)) };
    html! {
        (DOCTYPE) "\n"
        html lang=(words.0.tag()) {
            (head(&title, &style))
            body class="event" {
                header class="top" {
                    p class="kind" { "Canasta · " (words.say("results")) }
                    h1 { (title) }
                    p { (visible(&heading(results, words))) }
                } "\n"
                main {
                    @for (title, of) in sections(results, words) {
                        section { h2 { (visible(&title)) } (table(&of, &title)) } "\n"
                    }
                }
            }
        }
    }
    .into_string()
}
