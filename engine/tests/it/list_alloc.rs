//! The dearest requests make few values: lists were once compared by making every action of them again.

use allocation_counter::measure;
use canasta_engine::action::As;
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::notation::Position;
use canasta_engine::table::Table;
use canasta_engine::{bot, view::view};

/// Returns the positions of the dearest lists.
fn positions() -> impl Iterator<Item = Table> {
    let lines =
        include_str!("../../../tests/data/climbed/requests.txt").lines().map(|line| line.split(" | "));
    let lists = lines.filter_map(|mut parts| {
        parts.next().filter(|&method| matches!(method, "list" | "suggest")).and(parts.next())
    });
    lists.map(|text| Position::parse(text).expect("a position").setup().into_table().expect("a table"))
}

/// Checks that a list allocates a bounded number of times per step, and that the bot finds a step in it: hands have up to
/// 265 cards.
#[test]
fn a_list_allocates_by_its_length() {
    for table in positions() {
        let mut steps = Steps::default();
        let count = measure(|| steps_into(&table, &mut steps)).count_total;
        let (listed, seat) = (steps.actions.len() as u64, table.to_act().expect("a seat"));
        println!("{count} for {listed}");
        assert!(count <= 20_000 + 20 * listed, "{count} for {listed} steps");
        assert!(steps.actions.contains(&bot::suggest(&view(&table, As::Seat(seat)), &steps.actions, 1)));
    }
}
