//! The table of results as a page for the wall and the phone: one file that loads nothing.

use super::results::EventResults;
use super::text::{heading, sections};
use super::words::Words;
use crate::shared::html::{self, table, visible};
use maud::html;

const STYLE: &str = include_str!("page.css");

pub fn page(results: &EventResults<'_>, words: Words) -> String {
    let title = html! { (visible(&results.event.file.name)) };
    let body = html! {
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
    };
    html::page(&title, words.0, STYLE, Some("event"), &body)
}
