//! The page as a whole: head, sections, data, style and script.

use super::game::ReportedGame;
use super::html::escape;
use super::{cards, chart, glossary, incidents, rows, seal, sheets};
use crate::text::{count, hex, number};
use base64ct::{Base64, Encoding};
use canasta_engine::notation::time;
use canasta_engine::seat::Unit;
use sha2::{Digest, Sha256};
use std::fmt::Write;

const STYLE: &str = include_str!("page/page.css");
const WALK: &str = include_str!("page/walk.html");
/// The script, in the order in which its parts build on each other.
const SCRIPT: [&str; 6] = [
    include_str!("page/model.js"),
    include_str!("page/cards.js"),
    include_str!("page/table.js"),
    include_str!("page/list.js"),
    include_str!("page/controls.js"),
    include_str!("page/tips.js"),
];

/// The page.
pub fn write(game: &mut ReportedGame) -> String {
    let script = SCRIPT.join("\n");
    let heading = title(game, |unit| escape(&game.names.unit(unit)));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n",
        policy(STYLE, Some(&script)),
        heading
    );
    page += &cards::symbols();
    head(game, &mut page);
    page += "<main>\n";
    page += WALK;
    scores(game, &mut page);
    section("incidents", "Refusals and rulings", &mut page, |out| incidents::write(game, out));
    section("seal-panel", "Integrity and deals", &mut page, |out| seal::write(game, out));
    let mut rules = String::new();
    if glossary::write(game, &mut rules) {
        section("rulebook", "Rules named here", &mut page, |out| out.push_str(&rules));
    }
    page += "</main>\n";
    let _ = writeln!(
        page,
        "<footer>canasta-replay {} · judged from the log's own bytes · game <code>{}</code></footer>",
        env!("CARGO_PKG_VERSION"),
        hex(&game.genesis.game_id)
    );
    page += "<div id=\"tip\" role=\"tooltip\" hidden></div>\n";
    let data = packed(&rows::write(game).to_string());
    let _ = write!(
        page,
        "<script type=\"text/plain\" id=\"data\">{data}</script>\n<script type=\"module\">{script}</script>\n</body>\n</html>\n"
    );
    page
}

/// The style of all pages.
pub fn style() -> &'static str {
    STYLE
}

/// A policy that loads nothing and lets nothing run but this style and this script.
pub fn policy(style: &str, script: Option<&str>) -> String {
    let script = script.map_or_else(|| "none".to_owned(), hash);
    format!(
        "default-src 'none'; style-src '{}'; script-src '{script}'; base-uri 'none'; form-action 'none'",
        hash(style)
    )
}

/// What a policy names an inline style or script by.
fn hash(text: &str) -> String {
    format!("sha256-{}", Base64::encode_string(&Sha256::digest(text)))
}

/// Deflated, in letters: pages are mailed, and most of a long game says the same again and again.
fn packed(text: &str) -> String {
    Base64::encode_string(&miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 9))
}

fn section(id: &str, title: &str, page: &mut String, write: impl FnOnce(&mut String)) {
    let _ = write!(page, "<section id=\"{id}\"><h2>{title}</h2>");
    write(page);
    page.push_str("</section>\n");
}

/// Who has won, in a line; `unit` names a side or seat.
fn title(game: &ReportedGame, unit: impl Fn(Unit) -> String) -> String {
    let report = &game.audited.report;
    match report.result {
        Some(result) => match result.winner {
            Some(winner) => format!("{} wins by {}", unit(winner), number(result.margin)),
            None => "A draw".into(),
        },
        None => format!("A game of Canasta, {}", escape(&game.genesis.rule_set_id)),
    }
}

fn head(game: &ReportedGame, page: &mut String) {
    let report = &game.audited.report;
    let (class, word, meaning) = seal::verdict(game);
    let began = game
        .genesis
        .started_at_ms
        .map(|ms| format!(" · {}", escape(&time::to_text(ms)[..16].replace('T', " "))));
    let _ = write!(
        page,
        "<header class=\"top\"><p class=\"kind\">Canasta · {} · {} · {}{}</p><h1>{}</h1>",
        escape(&game.genesis.rule_set_id),
        count(report.rounds, "round"),
        count(report.actions, "action"),
        began.unwrap_or_default(),
        title(game, |unit| game.unit(unit))
    );
    let _ = write!(
        page,
        "<a class=\"stamp {class}\" href=\"#seal-panel\" title=\"{meaning}\"><svg viewBox=\"0 0 120 120\" aria-hidden=\"true\"><use href=\"#seal\"/></svg>{word}</a>"
    );
    if let Some(fork) = &game.genesis.fork_of {
        let _ = write!(
            page,
            "<p class=\"fork\">A fork: this goes on from record {} of game <code>{}</code>. It is not that game.</p>",
            number(fork.n),
            hex(&fork.game_id)
        );
    }
    page.push_str("<ul class=\"board\">");
    for (unit, total) in (0..).zip(&report.totals) {
        let won = report.result.and_then(|result| result.winner) == Some(Unit(unit));
        let _ = write!(
            page,
            "<li class=\"side{unit}{}\"><span class=\"team\">{}</span> <b>{}</b>{}</li>",
            if won { " won" } else { "" },
            game.unit(Unit(unit)),
            number(*total),
            if won { " <span class=\"winner\">winner</span>" } else { "" }
        );
    }
    page.push_str("</ul></header>\n");
}

fn scores(game: &ReportedGame, page: &mut String) {
    let sheets = sheets::all(game);
    section("scores", "Scores", page, |out| {
        out.push_str("<div class=\"overview\">");
        chart::write(&sheets, game, out);
        sheets::summary(&sheets, game, out);
        out.push_str("</div>");
        sheets::write(&sheets, game, out);
    });
}
