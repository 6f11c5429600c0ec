//! Tests of bit fields.

use super::*;

#[test]
fn fields_come_back_at_every_width_and_place() {
    for lead in 0..=FIELD_MAX {
        for width in 1..=FIELD_MAX {
            let value = 0xa5a5_5a5a_c3c3_3c3c_u64 & ((1 << width) - 1);
            let mut out = Vec::new();
            let mut writer = BitWriter::new(&mut out);
            writer.put(if lead == 0 { 0 } else { 1 << (lead - 1) }, lead);
            writer.put(value, width);
            writer.flag(true);
            writer.finish();
            let mut reader = BitReader::new(&out);
            reader.take(lead / 2);
            reader.take(lead - lead / 2);
            assert_eq!(reader.bits(width), Ok(value));
            assert_eq!(reader.flag(), Ok(true));
            assert_eq!(reader.finish(), Ok(()));
        }
    }
}

#[test]
fn numbers_come_back() {
    let values = (0..64).flat_map(|bit| [0, 1 << bit, (1 << bit) - 1, u64::MAX >> bit]);
    for value in values {
        let mut out = Vec::new();
        let mut writer = BitWriter::new(&mut out);
        writer.number(value, 64);
        writer.finish();
        assert_eq!(BitReader::new(&out).number(64, ""), Ok(value));
    }
}

#[test]
fn the_buffer_grows_behind_what_it_has() {
    let mut out = alloc::vec![7, 8];
    let mut writer = BitWriter::new(&mut out);
    (0..4 * ROOM as u64).for_each(|value| writer.put(value, 13));
    writer.finish();
    assert_eq!((out.len(), &out[..2]), (2 + 13 * ROOM / 2, &[7, 8][..]));
    let mut reader = BitReader::new(&out[2..]);
    (0..4 * ROOM as u64).for_each(|value| assert_eq!(reader.bits(13), Ok(value)));
    assert_eq!(reader.finish(), Ok(()));
}

#[test]
fn what_is_not_there_is_refused() {
    let mut reader = BitReader::new(&[0xff, 0x01]);
    assert_eq!(reader.bits(9), Ok(0x1ff));
    assert_eq!(reader.bits(8), Err(TokenError { bit: 9, kind: TokenErrorKind::Truncated }));
    assert_eq!(reader.clone().finish(), Ok(()));
    assert_eq!(reader.number(9, "length"), Ok(0));
    let error = BitReader::new(&[0x7f]).number(9, "length");
    assert_eq!(error.map_err(|e| e.kind), Err(TokenErrorKind::Field { field: "length", found: 15 }));
    let padded = BitReader { bytes: &[0x80], at: 3, end: 8 };
    assert_eq!(padded.finish(), Err(TokenError { bit: 3, kind: TokenErrorKind::Padding }));
    let trailing = BitReader { bytes: &[0, 0], at: 3, end: 16 };
    assert_eq!(trailing.finish(), Err(TokenError { bit: 8, kind: TokenErrorKind::TrailingBytes }));
}
