//! The result as a page: one file that loads nothing and needs no script.

use super::sections::{self, Block, Chart};
use super::text::{heading, summary};
use super::{RuleSetGames, Stats};
use crate::shared::html::{head, style, table, visible};
use crate::shared::table::TextTable;
use crate::shared::text::number;
use maud::{DOCTYPE, Markup, html};

const STYLE: &str = include_str!("page.css");
const WIDTH: u64 = 420;
const ROW: u64 = 22;
/// Space for the labels at the left and for the figures at the right.
const LEFT: u64 = 150;
const RIGHT: u64 = 80;

pub fn page(stats: &Stats) -> String {
    let style = format!("{}\n{STYLE}", style());
    let title = html! { (visible(&summary(stats))) };
    html! {
        (DOCTYPE) "\n"
        html lang="en" {
            (head(&title, &style))
            body {
                header class="top" { p class="kind" { "Canasta · statistics" } h1 { (title) } } "\n"
                main {
                    (contents(stats))
                    @for (i, group) in stats.groups.values().enumerate() { (rule_set(i, group)) "\n" }
                    (left_out(stats))
                } "\n"
                footer {
                    "canasta-replay " (env!("CARGO_PKG_VERSION"))
                    " · counted from the logs' own bytes, each audited first"
                } "\n"
            }
        }
    }
    .into_string()
}

fn contents(stats: &Stats) -> Markup {
    html! {
        @if stats.groups.len() > 1 {
            nav aria-label="Rule sets" {
                ul class="contents" {
                    @for (i, group) in stats.groups.values().enumerate() {
                        li { a href={ "#g" (i) } { (visible(group.rules.id())) } }
                    }
                }
            } "\n"
        }
    }
}

fn rule_set(i: usize, group: &RuleSetGames) -> Markup {
    html! {
        section id={ "g" (i) } {
            h2 { (visible(&heading(group))) }
            @for section in sections::of(group) {
                h3 { (section.title) }
                div class="blocks" {
                    @for block in &section.blocks {
                        @match block {
                            Block::Table(of) => (table(of, section.title)),
                            Block::Chart(of) => (chart(of)),
                            Block::Note(text) => { p class="remark" { (visible(text)) } }
                        }
                    }
                }
            }
        }
    }
}

/// Returns bars from top to bottom, each with its figure.
fn chart(Chart { title, bars }: &Chart) -> Markup {
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let all: Vec<String> = bars.iter().map(|(label, count)| format!("{label}: {}", number(*count))).collect();
    let (width, height) = (LEFT + WIDTH + RIGHT, ROW * bars.len() as u64 + 6);
    html! {
        figure class="bars" {
            figcaption { (visible(title)) }
            svg viewBox={ "0 0 " (width) " " (height) } role="img"
                aria-label={ (visible(title)) ": " (visible(&all.join(", "))) } {
                @for (i, (label, count)) in (0..).zip(bars) {
                    @let y = ROW * i + 4;
                    @let length = (count * WIDTH).div_ceil(most);
                    text x=(LEFT - 8) y=(y + 14) text-anchor="end" { (visible(label)) }
                    rect x=(LEFT) y=(y) width=(length) height=(ROW - 5) {}
                    text class="figure" x=(LEFT + length + 6) y=(y + 14) { (number(*count)) }
                }
            }
        }
    }
}

fn left_out(stats: &Stats) -> Markup {
    let mut rows = TextTable::new(["log", " reason"]);
    for (path, reason) in stats.left_out.values() {
        rows.row([path.clone(), reason.clone()]);
    }
    html! {
        @if !stats.left_out.is_empty() {
            section id="left-out" {
                h2 { "Left out" }
                p { "These logs do not count." }
                (table(&rows, "Left out"))
                @if stats.more_left_out > 0 { p { "And " (number(stats.more_left_out)) " more." } }
            } "\n"
        }
    }
}
