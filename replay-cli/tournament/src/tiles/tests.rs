use super::*;

/// Checks the examples of the specification: the path of index 1,234,067, and the tiles of trees of 256 and of
/// 70,000 leaves.
#[test]
fn tiles_are_those_of_the_specification() {
    let tile = Tile { level: 0, index: 1_234_067, width: 256 };
    assert_eq!(tile.path(), "tile/0/x001/x234/067");
    let paths = |size| Tile::all(size).map(|tile| tile.path()).collect::<Vec<_>>();
    assert_eq!(paths(256), ["tile/0/000", "tile/1/000.p/1"]);
    let paths = paths(70_000);
    assert_eq!(paths.len(), 273 + 1 + 1 + 1 + 1);
    assert_eq!(
        paths[272..],
        ["tile/0/272", "tile/0/273.p/112", "tile/1/000", "tile/1/001.p/17", "tile/2/000.p/1"]
    );
    assert_eq!(Tile::of_level(0, 1).next().expect("one").bundle_path(), "tile/entries/000.p/1");
    for tile in Tile::all(70_000) {
        assert_eq!(Tile::of_path(&tile.path()), Some((tile, false)));
    }
    assert_eq!(Tile::of_path(&tile.bundle_path()), Some((tile, true)));
    for no_tile in
        ["tile/0/0", "tile/8/000", "tile/0/000.p/0", "tile/0/000.p/256", "tile/entries/x000/000", "a"]
    {
        assert_eq!(Tile::of_path(no_tile), None, "{no_tile}");
    }
    assert_eq!(Tile::all(0).count(), 0);
    assert_eq!(Tile::all(u64::MAX).next().expect("one").width, 256);
}

#[test]
fn bundles_are_read_whole_or_not_at_all() {
    let leaves: [&[u8]; 3] = [b"ab", b"", b"c"];
    let bytes = bundle(leaves);
    assert_eq!(bytes, [0, 2, b'a', b'b', 0, 0, 0, 1, b'c']);
    assert_eq!(unbundle(&bytes, 3), Some(leaves.to_vec()));
    assert_eq!(unbundle(&bytes, 2), None);
    assert_eq!(unbundle(&bytes, 4), None);
    for length in 0..bytes.len() {
        assert_eq!(unbundle(&bytes[..length], 3), None, "{length} bytes");
    }
}
