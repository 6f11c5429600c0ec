//! The result as a page: one file that loads nothing and needs no script.

use super::german::say;
use super::sections::{self, Block, Chart};
use super::text::{heading, summary};
use super::{RuleSetGames, Stats};
use crate::shared::html::{self, table, visible};
use crate::shared::table::TextTable;
use crate::shared::text::{join, number, number_in};
use canasta_engine::violations::template::Language;
use maud::{Markup, html};

const STYLE: &str = include_str!("page.css");
const WIDTH: u64 = 420;
const ROW: u64 = 22;
/// Space for the labels at the left and for the figures at the right.
const LEFT: u64 = 150;
const RIGHT: u64 = 80;

pub fn page(stats: &Stats, language: Language) -> String {
    let title = html! { (visible(&say(&summary(stats), language))) };
    let body = html! {
        header class="top" { p class="kind" { (say("Canasta · statistics", language)) } h1 { (title) } } "\n"
        main {
            (contents(stats, language))
            @for (i, group) in stats.groups.values().enumerate() { (rule_set(i, group, language)) "\n" }
            (left_out(stats, language))
        } "\n"
        footer {
            "canasta-replay " (env!("CARGO_PKG_VERSION"))
            " · " (say("counted from the logs' own bytes, each audited first", language))
        } "\n"
    };
    html::page(&title, language, STYLE, None, &body)
}

fn contents(stats: &Stats, language: Language) -> Markup {
    html! {
        @if stats.groups.len() > 1 {
            nav aria-label=(say("Rule sets", language)) {
                ul class="contents" {
                    @for (i, group) in stats.groups.values().enumerate() {
                        li { a href={ "#g" (i) } { (visible(group.rules.id())) } }
                    }
                }
            } "\n"
        }
    }
}

fn rule_set(i: usize, group: &RuleSetGames, language: Language) -> Markup {
    html! {
        section id={ "g" (i) } {
            h2 { (visible(&say(&heading(group), language))) }
            @for section in sections::of(group, language) {
                h3 { (section.title) }
                div class="blocks" {
                    @for block in &section.blocks {
                        @match block {
                            Block::Table(of) => (table(of, &section.title)),
                            Block::Chart(of) => (chart(of, language)),
                            Block::Note(text) => { p class="remark" { (visible(text)) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns bars from top to bottom, each with its figure.
fn chart(Chart { title, bars }: &Chart, language: Language) -> Markup {
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let figure = |(label, count): &(String, u64)| format!("{label}: {}", number_in(*count, language));
    let (width, height) = (LEFT + WIDTH + RIGHT, ROW * bars.len() as u64 + 6);
    html! {
        figure class="bars" {
            figcaption { (visible(title)) }
            svg viewBox={ "0 0 " (width) " " (height) } role="img"
                aria-label={ (visible(title)) ": " (visible(&join(bars.iter().map(figure), ", "))) } {
                @for (i, (label, count)) in (0..).zip(bars) {
                    @let y = ROW * i + 4;
                    @let length = (count * WIDTH).div_ceil(most);
                    text x=(LEFT - 8) y=(y + 14) text-anchor="end" { (visible(label)) }
                    rect x=(LEFT) y=(y) width=(length) height=(ROW - 5) {}
                    text class="figure" x=(LEFT + length + 6) y=(y + 14) { (number_in(*count, language)) }
                }
            }
        }
    }
}

fn left_out(stats: &Stats, language: Language) -> Markup {
    let words = |text| say(text, language);
    let mut rows = TextTable::new([words("log").as_str(), words(" reason").as_str()]);
    for (path, reason) in stats.left_out.values() {
        rows.row([path.clone(), words(reason)]);
    }
    html! {
        @if !stats.left_out.is_empty() {
            section id="left-out" {
                h2 { (words("Left out")) }
                p { (words("These logs do not count.")) }
                (table(&rows, &words("Left out")))
                @if stats.more_left_out > 0 {
                    p { (words(&format!("And {} more.", number(stats.more_left_out)))) }
                }
            } "\n"
        }
    }
}
