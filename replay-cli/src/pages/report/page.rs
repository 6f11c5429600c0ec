//! The page as a whole: head, sections, data, style and script.

use super::game::ReportedGame;

use super::{chart, glossary, incidents, rows, seal, sheets};
use crate::shared::html::{head, style, visible};
use crate::shared::text::{count, hex, number};
use base64ct::{Base64, Encoding};
use canasta_engine::seat::Unit;
use canasta_engine::text::time;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The card faces: one symbol per card, drawn once and used by reference.
const FACES: &str = include_str!("../../../built/faces.svg");
const WALK: &str = include_str!("page/walk.html");
/// The script, in the order in which its parts build on each other.
const SCRIPT: [&str; 7] = [
    include_str!("../../../built/board.js"),
    include_str!("page/model.js"),
    include_str!("page/cards.js"),
    include_str!("page/table.js"),
    include_str!("page/list.js"),
    include_str!("page/controls.js"),
    include_str!("page/tips.js"),
];

pub fn page(game: &mut ReportedGame) -> String {
    let script = SCRIPT.join("\n");
    let data = packed(&rows::write(game).to_string());
    html! {
        (DOCTYPE) "\n"
        html lang="en" {
            (head(&title(game, |unit| html! { (visible(&game.names.unit(unit))) }), style(), Some(&script)))
            body {
                (PreEscaped(FACES))
                (top(game)) "\n"
                main {
                    (PreEscaped(WALK))
                    (scores(game)) "\n"
                    (section("incidents", "Refusals and rulings", incidents::incidents(game))) "\n"
                    (section("seal-panel", "Integrity and deals", seal::panel(game))) "\n"
                    @if let Some(rules) = glossary::glossary(game) {
                        (section("rulebook", "Rules named here", rules)) "\n"
                    }
                } "\n"
                footer {
                    "canasta-replay " (env!("CARGO_PKG_VERSION")) " · judged from the log's own bytes · game "
                    code { (hex(&game.genesis.game_id)) }
                } "\n"
                div id="tip" role="tooltip" hidden {} "\n"
                script type="text/plain" id="data" { (PreEscaped(data)) } "\n"
                script type="module" { (PreEscaped(script)) } "\n"
            }
        }
    }
    .into_string()
}

/// Returns the text deflated and in base64. Pages are mailed, and the rows of a long game are much alike.
fn packed(text: &str) -> String {
    Base64::encode_string(&miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9))
}

fn section(id: &str, title: &str, content: Markup) -> Markup {
    html! { section id=(id) { h2 { (title) } (content) } }
}

/// Returns the winner and the margin in one line; `unit` names a side or seat.
fn title(game: &ReportedGame, unit: impl Fn(Unit) -> Markup) -> Markup {
    match game.audited.report.result {
        Some(result) => match result.winner {
            Some(winner) => html! { (unit(winner)) " wins by " (number(result.margin)) },
            None => html! { "A draw" },
        },
        None => html! { "A game of Canasta, " (visible(&game.genesis.rule_set_id)) },
    }
}

fn top(game: &ReportedGame) -> Markup {
    let report = &game.audited.report;
    let (class, word, meaning) = seal::verdict(game);
    let winner = report.result.and_then(|result| result.winner);
    html! {
        header class="top" {
            p class="kind" {
                "Canasta · " (visible(&game.genesis.rule_set_id)) " · " (count(report.rounds, "round"))
                " · " (count(report.actions, "action"))
                @if let Some(ms) = game.genesis.started_at_ms { " · " (time::to_text(ms)[..16].replace('T', " ")) }
            }
            h1 { (title(game, |unit| game.unit(unit))) }
            a class={ "stamp " (class) } href="#seal-panel" title=(meaning) { (seal::picture()) (word) }
            @if let Some(fork) = &game.genesis.fork_of {
                p class="fork" {
                    "A fork: this goes on from record " (number(fork.n)) " of game "
                    code { (hex(&fork.game_id)) } ". It is not that game."
                }
            }
            ul class="board" {
                @for (unit, total) in (0..).map(Unit).zip(&report.totals) {
                    @let won = winner == Some(unit);
                    li class={ "side" (unit.0) @if won { " won" } } {
                        span class="team" { (game.unit(unit)) } " " b { (number(*total)) }
                        @if won { " " span class="winner" { "winner" } }
                    }
                }
            }
        }
    }
}

fn scores(game: &ReportedGame) -> Markup {
    let sheets = sheets::all(game);
    let content = html! {
        div class="overview" { (chart::chart(&sheets, game)) (sheets::summary(&sheets, game)) }
        (sheets::sheets(&sheets, game))
    };
    section("scores", "Scores", content)
}
