//! The card faces: one symbol per card, drawn once and used by reference.
//!
//! A face has 62 by 88 units. Index, suit and pips are placed here by number; the court cards are drawn in
//! `page/faces.svg`.

use std::fmt::Write;

const SUITS: [char; 4] = ['c', 'd', 'h', 's'];
const INK: [&str; 4] = ["k", "r", "r", "k"];
/// Names of the ranks in the corners, by index.
const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];

/// Coordinates of the columns and rows of pips.
const L: u8 = 22;
const M: u8 = 31;
const R: u8 = 40;
const PIPS: [&[(u8, u8)]; 10] = [
    &[(M, 44)],
    &[(M, 19), (M, 69)],
    &[(M, 19), (M, 44), (M, 69)],
    &[(L, 19), (R, 19), (L, 69), (R, 69)],
    &[(L, 19), (R, 19), (M, 44), (L, 69), (R, 69)],
    &[(L, 19), (R, 19), (L, 44), (R, 44), (L, 69), (R, 69)],
    &[(L, 19), (R, 19), (M, 32), (L, 44), (R, 44), (L, 69), (R, 69)],
    &[(L, 19), (R, 19), (M, 32), (L, 44), (R, 44), (M, 56), (L, 69), (R, 69)],
    &[(L, 19), (R, 19), (L, 36), (R, 36), (M, 44), (L, 52), (R, 52), (L, 69), (R, 69)],
    &[(L, 19), (R, 19), (M, 27), (L, 36), (R, 36), (L, 52), (R, 52), (M, 61), (L, 69), (R, 69)],
];

/// Returns all symbols.
pub fn symbols() -> String {
    let mut svg = String::from("<svg id=\"faces\" width=\"0\" height=\"0\" aria-hidden=\"true\">");
    svg.push_str(include_str!("page/faces.svg"));
    for (suit, letter) in SUITS.iter().enumerate() {
        for rank in 0..13 {
            face(suit, *letter, rank, &mut svg);
        }
    }
    svg + "</svg>"
}

fn face(suit: usize, letter: char, rank: usize, svg: &mut String) {
    let (ink, index) = (INK[suit], RANKS[rank]);
    let id = 13 * suit + rank;
    let narrow = if index == "10" { " textLength=\"15\" lengthAdjust=\"spacingAndGlyphs\"" } else { "" };
    let _ = write!(
        svg,
        "<g id=\"i{id}\"><text class=\"ix\" x=\"9.5\" y=\"18\"{narrow}>{index}</text><use href=\"#{letter}\" transform=\"translate(9.5 26.5)scale(.52)\"/></g>\
         <symbol id=\"c{id}\" viewBox=\"0 0 62 88\"><use href=\"#f\"/><g class=\"{ink}\"><use href=\"#i{id}\"/><use href=\"#i{id}\" transform=\"rotate(180 31 44)\"/>"
    );
    match rank {
        10..=12 => {
            let court = ["J", "Q", "K"][rank - 10];
            let _ = write!(
                svg,
                "<use href=\"#{court}\"/><use href=\"#{court}\" transform=\"rotate(180 31 44)\"/><use href=\"#w\"/>\
                 <use href=\"#{letter}\" transform=\"translate(22 20)scale(.42)\"/><use href=\"#{letter}\" transform=\"rotate(180 31 44)translate(22 20)scale(.42)\"/>"
            );
        }
        _ => {
            let size = if rank == 0 { "1.5" } else { ".56" };
            for &(x, y) in PIPS[rank] {
                let turned = if y > 44 { "rotate(180)" } else { "" };
                let _ = write!(
                    svg,
                    "<use href=\"#{letter}\" transform=\"translate({x} {y})scale({size}){turned}\"/>"
                );
            }
        }
    }
    svg.push_str("</g></symbol>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_has_a_face_with_its_pips() {
        let svg = symbols();
        for (rank, pips) in PIPS.iter().enumerate() {
            assert_eq!(pips.len(), rank + 1);
            // A face turned upside down looks the same, except the pips between two rows.
            let turned = pips.iter().filter(|(x, y)| pips.contains(&(62 - x, 88 - y))).count();
            assert!(turned >= pips.len() - 1, "{rank}");
        }
        for id in 0..=52 {
            assert_eq!(svg.matches(&format!("<symbol id=\"c{id}\"")).count(), 1, "{id}");
        }
    }
}
