//! The result of the audit: the seal of the page.

use super::MANY;
use super::game::ReportedGame;
use super::glossary::rule_links;
use crate::auditing::audit::text::{detail, proven};
use crate::auditing::verify_deal::report::{DealProof, ProofResult, ProofStep};
use crate::shared::html::{name, visible};
use crate::shared::text::{count, hex, number};
use canasta_engine::citation::cite;
use canasta_engine::log::finding::{DealVerdict, Verdict};
use canasta_engine::text::time;
use canasta_tournament::leaf::mode;
use maud::{Markup, html};

/// Returns the CSS class, the word and the meaning of the verdict.
pub fn verdict(game: &ReportedGame) -> (&'static str, &'static str, &'static str) {
    let in_progress = !game.is_over();
    match game.audited.report.verdict {
        Verdict::NotALog => ("bad", "Not a log", "it is not a log of a game"),
        Verdict::UnsupportedVersion => {
            ("bad", "Unread", "a log of a version that this program does not read")
        }
        Verdict::Altered => ("bad", "Altered", "what is written is not what was played"),
        Verdict::Illegal => ("bad", "Illegal", "an action broke the rules"),
        Verdict::Clerical => {
            ("bad", "Slip of the pen", "something was written down otherwise than the cards give it")
        }
        Verdict::Incomplete => ("open", "Incomplete", "the log stops before the end of the game"),
        _ if in_progress => {
            ("open", "In progress", "the log has no game end: the game goes on, or the log was cut")
        }
        Verdict::Conditional => ("open", "Conditional", "nothing is wrong with what could be judged"),
        Verdict::Ruled => ("good", "Clean", "everything holds, with what officials ruled"),
        Verdict::Clean => ("good", "Clean", "everything holds"),
    }
}

/// Returns the panel: verdict, findings, facts, deals.
pub fn panel(game: &ReportedGame) -> Markup {
    let (class, word, meaning) = verdict(game);
    html! {
        div class={ "seal " (class) } { (picture()) p { strong { (word) } " " (meaning) } }
        (findings(game))
        (facts(game))
        (deals(game))
    }
}

/// Returns the drawing of the seal.
pub fn picture() -> Markup {
    html! { svg viewBox="0 0 120 120" aria-hidden="true" { use href="#seal" {} } }
}

fn findings(game: &ReportedGame) -> Markup {
    let report = &game.audited.report;
    let is_shown = |record: u64| usize::try_from(record).is_ok_and(|n| n < game.records.len());
    html! {
        @if !report.findings.is_empty() {
            h3 { "Findings" }
            ol class="findings" {
                @for finding in &report.findings {
                    li {
                        b class="mark" { (finding.kind.name()) } " at "
                        @if is_shown(finding.record) {
                            a class="jump" href={ "#at=" (finding.record) } { "record " (number(finding.record)) }
                        } @else {
                            "record " (number(finding.record))
                        }
                        " (byte " (number(finding.offset)) "): " (visible(detail(finding)))
                        @for &code in &finding.codes {
                            @let ids = game.audited.books.as_ref().map(|books| cite(code, books).collect::<Vec<_>>());
                            " " code { (code.name()) } " " (rule_links(ids.unwrap_or_default()))
                        }
                    }
                }
                @if report.left_off > 0 { li { "and " (number(report.left_off)) " more" } }
            }
        }
    }
}

fn facts(game: &ReportedGame) -> Markup {
    let (report, genesis) = (&game.audited.report, &game.genesis);
    let is_signed = report.signed_actions > 0 || genesis.players.iter().any(|player| player.key.is_some());
    let proof = proven(&game.audited);
    html! {
        dl class="facts" {
            dt { "Game" } dd { code { (hex(&genesis.game_id)) } }
            dt { "Rule set" }
            dd { (visible(&genesis.rule_set_id)) " " code { (hex(&genesis.rule_set_digest())) } }
            dt { "Records" } dd { (number(report.records)) " in " (count(report.bytes, "byte")) }
            dt { "Head" }
            dd { code { (hex(&report.head)) } " of record " (number(report.records.saturating_sub(1))) }
            @if is_signed {
                dt { "Signed by players" }
                dd { (number(report.signed_actions)) " of " (count(report.actions, "action")) }
            }
            @if let Some(key) = genesis.director { dt { "Key" } dd { "the director " code { (hex(&key)) } } }
            @for player in genesis.players.iter() {
                @if let Some(key) = player.key {
                    dt { "Key" } dd { (name(&player.name)) " " code { (hex(&key)) } }
                }
            }
            @for signed in &game.audited.signed { dt { "Signed" } dd { (visible(signed)) } }
            @if let Some(commitment) = genesis.commitment {
                dt { "Game commitment" } dd { code { (hex(&commitment)) } }
            }
            @if let Some(start) = genesis.started_at_ms { dt { "Began" } dd { (time::to_text(start)) } }
            dt { "Engine" } dd { (visible(&genesis.engine)) }
            @if report.findings.is_empty() {
                dt { "Proven" } dd { (visible(proof.strip_prefix("proven: ").unwrap_or(&proof))) }
            }
            @for reservation in &game.audited.reservations { dt { "Not proven" } dd { (visible(reservation)) } }
        }
    }
}

fn deals(game: &ReportedGame) -> Markup {
    let verdict = match game.audited.report.deal {
        DealVerdict::AsCommitted => "every card was dealt as it was committed to before the first",
        DealVerdict::NotChecked => "not everything is revealed, or nothing was committed to",
        DealVerdict::Failed => "a commitment does not fit what was revealed",
    };
    let is_brief = game.deals.deals.len() > MANY;
    html! {
        h3 { "Deals" }
        p { (game.deals.mode) ": " (verdict) "." }
        details class="deal" { summary { "The game (" (mode(game.genesis.mode)) ")" } (steps(&game.deals.game)) }
        @if is_brief {
            p {
                "Of a deal that holds only its first step stands here; "
                code { "canasta-replay verify-deal" } " has the rest."
            }
        }
        @for deal in &game.deals.deals { (deal_steps(deal, is_brief)) }
    }
}

/// Returns the steps of a deal; if `is_brief`, one line for a deal that holds.
fn deal_steps(deal: &DealProof, is_brief: bool) -> Markup {
    let fails = deal.steps.iter().filter(|step| step.outcome == ProofResult::Fails).count();
    let open = deal.steps.iter().filter(|step| step.outcome == ProofResult::Open).count();
    let state = match (fails, open) {
        (0, 0) => html! { span class="ok" { "holds" } },
        (0, _) => html! { span class="open" { "not all is checked" } },
        _ => html! { b class="mark" { (fails) " of " (deal.steps.len()) " fail" } },
    };
    html! {
        @if is_brief && fails + open == 0 {
            "\n"
            p class="deal" {
                (visible(&deal.title)) " " (state)
                @if let Some(step) = deal.steps.first() {
                    ": " (step.what) " " (visible(&step.text))
                }
            }
        } @else {
            details class="deal" open[fails > 0] {
                summary { (visible(&deal.title)) " · " (state) }
                (steps(&deal.steps))
            }
        }
    }
}

fn steps(steps: &[ProofStep]) -> Markup {
    html! {
        dl class="facts" {
            @for step in steps {
                @let class = match step.outcome {
                    ProofResult::Holds => "ok",
                    ProofResult::Fails => "bad",
                    ProofResult::Open => "open",
                };
                dt { (step.what) }
                dd class=(class) { (step.outcome.mark()) (visible(&step.text)) }
            }
        }
    }
}
