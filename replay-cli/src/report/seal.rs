//! What the audit says: the seal of the page.

use super::MANY;
use super::game::ReportedGame;
use super::glossary::rule_links;
use super::html::{escape, name};
use crate::audit::text::{detail, mode, proven};
use crate::text::{count, hex, number};
use crate::verify_deal::report::{ProofResult, ProofStep};
use canasta_engine::log::finding::{DealVerdict, Verdict};
use canasta_engine::notation::time;
use canasta_engine::violations::cite;
use std::fmt::Write;

/// How the verdict looks, and what it means.
pub fn verdict(game: &ReportedGame) -> (&'static str, &'static str, &'static str) {
    let in_progress = !game.is_over();
    match game.audited.report.verdict {
        Verdict::NotALog => ("bad", "Not a log", "it is no log of a game"),
        Verdict::UnsupportedVersion => {
            ("bad", "Unread", "a log of a version that this program does not read")
        }
        Verdict::Altered => ("bad", "Altered", "what is written is not what was played"),
        Verdict::Illegal => ("bad", "Illegal", "an action broke the rules"),
        Verdict::Incomplete => ("open", "Incomplete", "the log stops before the end of the game"),
        _ if in_progress => {
            ("open", "In progress", "the log has no game end: the game goes on, or the log was cut")
        }
        Verdict::Conditional => ("open", "Conditional", "nothing is wrong with what could be judged"),
        Verdict::Ruled => ("good", "Clean", "everything holds, with what officials ruled"),
        Verdict::Clean => ("good", "Clean", "everything holds"),
    }
}

/// The panel: verdict, findings, facts, deals.
pub fn write(game: &ReportedGame, out: &mut String) {
    let (class, word, meaning) = verdict(game);
    let _ = write!(
        out,
        "<div class=\"seal {class}\"><svg viewBox=\"0 0 120 120\" aria-hidden=\"true\"><use href=\"#seal\"/></svg><p><strong>{word}</strong> {meaning}</p></div>"
    );
    findings(game, out);
    facts(game, out);
    deals(game, out);
}

fn findings(game: &ReportedGame, out: &mut String) {
    let report = &game.audited.report;
    if report.findings.is_empty() {
        return;
    }
    out.push_str("<h3>Findings</h3><ol class=\"findings\">");
    for finding in &report.findings {
        let place = match usize::try_from(finding.record) {
            Ok(n) if n < game.records.len() => {
                format!("<a class=\"jump\" href=\"#at={n}\">record {}</a>", number(finding.record))
            }
            _ => format!("record {}", number(finding.record)),
        };
        let _ = write!(
            out,
            "<li><b class=\"mark\">{}</b> at {place} (byte {}): {}",
            finding.kind.name(),
            number(finding.offset),
            escape(detail(finding))
        );
        for &code in &finding.codes {
            let ids = game.audited.books.as_ref().map(|books| cite(code, books).collect::<Vec<_>>());
            let _ = write!(out, " <code>{}</code> {}", code.name(), rule_links(ids.unwrap_or_default()));
        }
        out.push_str("</li>");
    }
    if report.left_off > 0 {
        let _ = write!(out, "<li>and {} more</li>", number(report.left_off));
    }
    out.push_str("</ol>");
}

fn facts(game: &ReportedGame, out: &mut String) {
    let (report, genesis) = (&game.audited.report, &game.genesis);
    let mut facts: Vec<(&str, String)> = Vec::new();
    let code = |text: &str| format!("<code>{}</code>", escape(text));
    facts.push(("Game", code(&hex(&genesis.game_id))));
    let set = format!("{} {}", escape(&genesis.rule_set_id), code(&hex(&genesis.rule_set_digest())));
    facts.push(("Rule set", set));
    facts.push(("Records", format!("{} in {}", number(report.records), count(report.bytes, "byte"))));
    facts.push((
        "Head",
        format!("{} of record {}", code(&hex(&report.head)), number(report.records.saturating_sub(1))),
    ));
    let signed = report.signed_actions;
    if signed > 0 || genesis.players.iter().any(|player| player.key.is_some()) {
        facts.push((
            "Signed by players",
            format!("{} of {}", number(signed), count(report.actions, "action")),
        ));
    }
    for player in genesis.players.iter() {
        if let Some(key) = player.key {
            facts.push(("Key", format!("{} {}", name(&player.name), code(&hex(&key)))));
        }
    }
    for signed in &game.audited.signed {
        facts.push(("Signed", escape(signed)));
    }
    if let Some(commitment) = genesis.commitment {
        facts.push(("Game commitment", code(&hex(&commitment))));
    }
    if let Some(start) = genesis.started_at_ms {
        facts.push(("Began", escape(&time::to_text(start))));
    }
    facts.push(("Engine", escape(&genesis.engine)));
    if report.findings.is_empty() {
        let proof = proven(&game.audited);
        facts.push(("Proven", escape(proof.strip_prefix("proven: ").unwrap_or(&proof))));
    }
    for reservation in &game.audited.reservations {
        facts.push(("Not proven", escape(reservation)));
    }
    out.push_str("<dl class=\"facts\">");
    for (what, is) in facts {
        let _ = write!(out, "<dt>{what}</dt><dd>{is}</dd>");
    }
    out.push_str("</dl>");
}

fn deals(game: &ReportedGame, out: &mut String) {
    let verdict = match game.audited.report.deal {
        DealVerdict::AsCommitted => "every card was dealt as it was committed to before the first",
        DealVerdict::NotChecked => "not everything is revealed, or nothing was committed to",
        DealVerdict::Failed => "a commitment does not fit what was revealed",
    };
    let _ = write!(out, "<h3>Deals</h3><p>{}: {verdict}.</p>", escape(game.deals.mode));
    let mode = mode(game.genesis.mode);
    let _ = write!(out, "<details class=\"deal\"><summary>The game ({mode})</summary>");
    steps(&game.deals.game, out);
    out.push_str("</details>");
    let brief = game.deals.deals.len() > MANY;
    if brief {
        out.push_str("<p>Of a deal that holds only its first step stands here; <code>canasta-replay verify-deal</code> has the rest.</p>");
    }
    for deal in &game.deals.deals {
        let fails = deal.steps.iter().filter(|step| matches!(step.outcome, ProofResult::Fails(_))).count();
        let open = deal.steps.iter().filter(|step| matches!(step.outcome, ProofResult::Open(_))).count();
        let state = match (fails, open) {
            (0, 0) => "<span class=\"ok\">holds</span>".to_owned(),
            (0, _) => "<span class=\"open\">not all is checked</span>".to_owned(),
            _ => format!("<b class=\"mark\">{fails} of {} fail</b>", deal.steps.len()),
        };
        let title = escape(&deal.title);
        if brief && fails + open == 0 {
            brief_deal(&title, &deal.steps, out);
            continue;
        }
        let open = if fails > 0 { " open" } else { "" };
        let _ = write!(out, "<details class=\"deal\"{open}><summary>{title} · {state}</summary>");
        steps(&deal.steps, out);
        out.push_str("</details>");
    }
}

/// A line of a deal that holds.
fn brief_deal(title: &str, steps: &[ProofStep], out: &mut String) {
    let first = steps.first().map_or_else(String::new, |step| match &step.outcome {
        ProofResult::Holds(text) | ProofResult::Fails(text) | ProofResult::Open(text) => {
            format!(": {} {}", step.what, escape(text))
        }
    });
    let _ = write!(out, "\n<p class=\"deal\">{title} <span class=\"ok\">holds</span>{first}");
}

fn steps(steps: &[ProofStep], out: &mut String) {
    out.push_str("<dl class=\"facts\">");
    for step in steps {
        let (class, mark, text) = match &step.outcome {
            ProofResult::Holds(text) => ("ok", "", text),
            ProofResult::Fails(text) => ("bad", "FAILS: ", text),
            ProofResult::Open(text) => ("open", "not checked: ", text),
        };
        let _ = write!(out, "<dt>{}</dt><dd class=\"{class}\">{mark}{}</dd>", step.what, escape(text));
    }
    out.push_str("</dl>");
}
