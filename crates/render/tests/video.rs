//! Videos: contents of the files.

use sinew_render::{Film, FilmError, Frame};

fn picture(shade: u8) -> Frame {
    let mut frame = Frame::new(32, 16);
    frame.rgb.chunks_exact_mut(3).enumerate().for_each(|(i, p)| p.copy_from_slice(&[shade, 7 * (i % 32) as u8, 40]));
    frame
}

#[test]
fn gifs_hold_their_pictures_and_times() {
    let mut bytes = Vec::new();
    let mut film = Film::gif(&mut bytes, [32, 16], 30.0).expect("a film");
    (0..7).for_each(|k| film.add(&picture(30 * k)).expect("a picture"));
    film.finish().expect("an end");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(&bytes[..]).expect("a GIF");
    let (mut count, mut time) = (0, 0);
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        assert_eq!((frame.width, frame.height), (32, 16));
        let want = picture(30 * count as u8);
        let error = frame.buffer.chunks_exact(4).zip(want.rgb.chunks_exact(3));
        assert!(error.flat_map(|(a, b)| (0..3).map(|c| a[c].abs_diff(b[c])).collect::<Vec<_>>()).all(|e| e < 8));
        (count, time) = (count + 1, time + u32::from(frame.delay));
    }
    // hundredths of a second
    assert_eq!((count, time), (7, 23));
}

/// The content of the first box with a name; the box may be nested.
fn inside<'a>(bytes: &'a [u8], name: &[u8; 4]) -> &'a [u8] {
    let at = bytes.windows(4).position(|w| w == name).expect("a box");
    let size = u32::from_be_bytes(bytes[at - 4..at].try_into().expect("four bytes")) as usize;
    &bytes[at + 4..at - 4 + size]
}

#[test]
fn mp4s_say_their_size_and_length() {
    let mut bytes = Vec::new();
    let mut film = Film::mp4(&mut bytes, [32, 16], 25.0).expect("a film");
    (0..50).for_each(|k| film.add(&picture(5 * k)).expect("a picture"));
    film.finish().expect("an end");
    let number = |b: &[u8]| u32::from_be_bytes(b[..4].try_into().expect("four bytes"));
    assert_eq!(&bytes[4..8], b"ftyp");
    let track = inside(&bytes, b"tkhd");
    let side = |k: usize| number(&track[track.len() - k..]) >> 16;
    assert_eq!((side(8), side(4)), (32, 16));
    assert_eq!(number(&inside(&bytes, b"stsz")[8..]), 50, "samples");
    let media = inside(&bytes, b"mdhd");
    let seconds = f64::from(number(&media[16..])) / f64::from(number(&media[12..]));
    assert!((seconds - 2.0).abs() < 0.05, "{seconds} s");
    assert!(inside(&bytes, b"mdat").len() > 500);
}

#[test]
fn films_refuse_what_they_cannot_hold() {
    assert!(matches!(Film::mp4(Vec::new(), [31, 16], 25.0), Err(FilmError::Size { .. })));
    assert!(matches!(Film::gif(Vec::new(), [70_000, 16], 25.0), Err(FilmError::Size { .. })));
    assert!(matches!(Film::gif(Vec::new(), [32, 16], f64::NAN), Err(FilmError::Rate(_))));
    let mut film = Film::gif(Vec::new(), [32, 18], 25.0).expect("a film");
    assert!(matches!(film.add(&picture(0)), Err(FilmError::Another)));
    assert!(matches!(film.finish(), Err(FilmError::Write(_))));
}
