//! The result as a page: one file that loads nothing and needs no script.

use super::sections::{self, Block, Chart};
use super::text::{heading, summary};
use super::{RuleSetGames, Stats};
use crate::report::html::escape;
use crate::report::{policy, style};
use crate::table::TextTable;
use crate::text::number;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");
const WIDTH: u64 = 420;
const ROW: u64 = 22;
/// Room for the labels and for the figures.
const LEFT: u64 = 150;
const RIGHT: u64 = 80;

/// The page.
pub fn page(stats: &Stats) -> String {
    let style = format!("{}\n{STYLE}", style());
    let title = escape(&summary(stats));
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <header class=\"top\"><p class=\"kind\">Canasta · statistics</p><h1>{title}</h1></header>\n<main>\n",
        policy(&style, None)
    );
    contents(stats, &mut page);
    for (i, group) in stats.groups.values().enumerate() {
        write_group(i, group, &mut page);
    }
    left_out(stats, &mut page);
    let _ = write!(
        page,
        "</main>\n<footer>canasta-replay {} · counted from the logs' own bytes, each audited first</footer>\n</body>\n</html>\n",
        env!("CARGO_PKG_VERSION")
    );
    page
}

fn contents(stats: &Stats, page: &mut String) {
    if stats.groups.len() < 2 {
        return;
    }
    page.push_str("<nav aria-label=\"Rule sets\"><ul class=\"contents\">");
    for (i, group) in stats.groups.values().enumerate() {
        let _ = write!(page, "<li><a href=\"#g{i}\">{}</a></li>", escape(group.rules.id()));
    }
    page.push_str("</ul></nav>\n");
}

fn write_group(i: usize, group: &RuleSetGames, page: &mut String) {
    let _ = write!(page, "<section id=\"g{i}\"><h2>{}</h2>", escape(&heading(group)));
    for section in sections::of(group) {
        let _ = write!(page, "<h3>{}</h3><div class=\"blocks\">", section.title);
        for block in &section.blocks {
            match block {
                Block::Table(table) => write_table(table, page),
                Block::Chart(chart) => write_chart(chart, page),
                Block::Note(text) => {
                    let _ = write!(page, "<p class=\"remark\">{}</p>", escape(text));
                }
            }
        }
        page.push_str("</div>");
    }
    page.push_str("</section>\n");
}

fn write_table(table: &TextTable, page: &mut String) {
    let cell = |column: usize, text: &str, tag: &str| {
        let class = if column > 0 && table.is_text(column) { " class=\"text\"" } else { "" };
        let scope = match (tag, column) {
            ("th", 0) if class.is_empty() => " scope=\"row\"",
            _ => "",
        };
        format!("<{tag}{class}{scope}>{}</{tag}>", escape(text.trim_start()))
    };
    page.push_str("<div class=\"scroll\"><table class=\"figures\"><thead><tr>");
    for (column, head) in table.head.iter().enumerate() {
        let class = if table.is_text(column) { " class=\"text\"" } else { "" };
        let _ = write!(page, "<th scope=\"col\"{class}>{}</th>", escape(head.trim_start()));
    }
    page.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        page.push_str("<tr>");
        for (column, text) in row.iter().enumerate() {
            page.push_str(&cell(column, text, if column == 0 { "th" } else { "td" }));
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table></div>");
}

/// Bars from top to bottom, each with its figure.
fn write_chart(Chart { title, bars }: &Chart, page: &mut String) {
    let most = bars.iter().map(|(_, count)| *count).max().unwrap_or(0).max(1);
    let all: Vec<String> = bars.iter().map(|(label, count)| format!("{label}: {}", number(*count))).collect();
    let (width, height) = (LEFT + WIDTH + RIGHT, ROW * bars.len() as u64 + 6);
    let _ = write!(
        page,
        "<figure class=\"bars\"><figcaption>{}</figcaption><svg viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}: {}\">",
        escape(title),
        escape(title),
        escape(&all.join(", "))
    );
    for (i, (label, count)) in (0..).zip(bars) {
        let y = ROW * i + 4;
        let length = (count * WIDTH).div_ceil(most);
        let _ = write!(
            page,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><rect x=\"{LEFT}\" y=\"{y}\" width=\"{length}\" height=\"{}\"/>\
             <text class=\"figure\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT - 8,
            y + 14,
            escape(label),
            ROW - 5,
            LEFT + length + 6,
            y + 14,
            number(*count)
        );
    }
    page.push_str("</svg></figure>");
}

fn left_out(stats: &Stats, page: &mut String) {
    if stats.left_out.is_empty() {
        return;
    }
    page.push_str("<section id=\"left-out\"><h2>Left out</h2><p>These logs do not count.</p>");
    let mut table = TextTable::new(["log", " reason"]);
    for (path, reason) in &stats.left_out {
        table.row([path.clone(), reason.clone()]);
    }
    write_table(&table, page);
    if stats.more_left_out > 0 {
        let _ = write!(page, "<p>And {} more.</p>", number(stats.more_left_out));
    }
    page.push_str("</section>\n");
}
