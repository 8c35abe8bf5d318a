//! What the crate promises as a whole: no shape makes it panic, the same list gives the same bytes, what is drawn lies
//! where it should, and files decode to what was put in.

use glam::{UVec2, Vec2, Vec3};
use proptest::prelude::*;
use sentir_core::draw::{Color, DrawList, Layer, Shape};
use sentir_core::{math, plane};

use crate::{Film, FilmError, FilmFormat, Frame, LayerFilter, SIDE_PX_MAX, Sheet, Style, View, caption, paint, png};

const RED: Color = Color::rgb(0xd02020);
const BARE: Style = Style { is_grid_shown: false, is_scale_bar_shown: false, ..Style::light() };
/// Ten pixels a meter, the origin in the middle.
const VIEW: View = View { center: Vec2::ZERO, meters_across: 20.0, width_px: 200, height_px: 160 };

fn at(x: f32, y: f32) -> Vec3 {
    plane::lift(Vec2::new(x, y), 1.0)
}

fn painted(list: &DrawList) -> Frame {
    paint(list, &VIEW, &BARE, &LayerFilter::all(), "")
}

fn color_at(frame: &Frame, ground: Vec2) -> Color {
    let px = VIEW.to_px(ground);
    let [r, g, b, a] = frame.pixel(px.x as u32, px.y as u32).expect("inside the picture");
    Color { r, g, b, a }
}

/// A guard that walks and looks around, with all kinds of shapes about.
fn guard(time_s: f32) -> DrawList {
    let mut list = DrawList::default();
    list.heat(Layer("influence"), RED.alpha(90), at(-8.0, -6.0), 1.0, UVec2::new(9, 7), &[0.1, 0.9, 0.4, f32::NAN]);
    list.polygon(Layer::LEVEL, Color::rgb(0x444850), [at(-9.0, 6.0), at(9.0, 6.0), at(9.0, 7.0), at(-9.0, 7.0)]);
    let (place, yaw) = (at(time_s - 4.0, math::sin(time_s)), time_s * 0.4);
    list.add(Layer::SENSES, RED.alpha(50), Shape::Sector { center: place, yaw, half_angle: 0.6, radius_m: 5.0 });
    list.add(Layer::PATHS, RED, Shape::Arrow { from: place, to: at(6.0, 3.0), width_m: 0.1 });
    list.line(Layer::PATHS, Color::rgb(0x208070), at(-9.0, -7.0), place, 0.1);
    list.circle(Layer::SENSES, RED, at(5.0, -4.0), 2.0, false);
    list.circle(Layer::BODIES, RED, place, 0.5, true);
    list.label(Layer::NAMES, RED, place, format_args!("guard\npatrol {time_s:.1}"));
    list
}

#[test]
fn a_disc_lies_where_it_should() {
    let mut list = DrawList::default();
    list.circle(Layer::BODIES, RED, at(3.0, 4.0), 1.0, true);
    let frame = painted(&list);
    assert_eq!(color_at(&frame, Vec2::new(3.0, 4.0)), RED);
    for far in [Vec2::new(3.0, -4.0), Vec2::new(-3.0, 4.0), Vec2::new(3.0, 5.2), Vec2::new(4.2, 4.0)] {
        assert_eq!(color_at(&frame, far), BARE.background, "at {far}");
    }
}

#[test]
fn a_sector_looks_along_its_yaw_and_lets_the_ground_through() {
    let mut list = DrawList::default();
    list.add(Layer::SENSES, RED, Shape::Sector { center: at(0.0, 0.0), yaw: 0.0, half_angle: 0.5, radius_m: 6.0 });
    let frame = painted(&list);
    let ahead = color_at(&frame, Vec2::new(0.0, 4.0));
    assert!(ahead.g < BARE.background.g && ahead.g > RED.g + 60, "{ahead:?}");
    assert_eq!(color_at(&frame, Vec2::new(0.0, -4.0)), BARE.background);
    assert_eq!(color_at(&frame, Vec2::new(4.0, 1.0)), BARE.background);
}

#[test]
fn heat_is_as_strong_as_its_value() {
    let mut list = DrawList::default();
    list.heat(Layer("influence"), RED, at(0.0, 0.0), 2.0, UVec2::new(2, 2), &[1.0, 0.5, f32::NAN, 7.0]);
    let frame = painted(&list);
    assert_eq!(color_at(&frame, Vec2::new(1.0, 1.0)), RED);
    let half = color_at(&frame, Vec2::new(3.0, 1.0));
    assert_eq!(i32::from(half.g), (i32::from(RED.g) + i32::from(BARE.background.g)) / 2);
    assert_eq!(color_at(&frame, Vec2::new(1.0, 3.0)), BARE.background);
    assert_eq!(color_at(&frame, Vec2::new(3.0, 3.0)), RED);
    assert_eq!(color_at(&frame, Vec2::new(-0.1, 1.0)), BARE.background);
}

#[test]
fn polygons_lines_arrows_and_rings_leave_their_mark() {
    let mut list = DrawList::default();
    list.polygon(Layer::LEVEL, RED, [at(-8.0, -7.0), at(-4.0, -7.0), at(-4.0, -4.0), at(-8.0, -4.0)]);
    list.line(Layer::LEVEL, RED, at(-8.0, 0.0), at(-2.0, 0.0), 0.5);
    list.add(Layer::PATHS, RED, Shape::Arrow { from: at(0.0, 6.0), to: at(6.0, 6.0), width_m: 0.2 });
    list.circle(Layer::SENSES, RED, at(5.0, -4.0), 2.0, false);
    let frame = painted(&list);
    for inside in [Vec2::new(-6.0, -5.0), Vec2::new(-5.0, 0.05), Vec2::new(3.0, 6.0), Vec2::new(5.4, 6.05)] {
        assert_eq!(color_at(&frame, inside), RED, "at {inside}");
    }
    assert_ne!(color_at(&frame, Vec2::new(7.0, -4.0)), BARE.background, "the ring's edge");
    assert_eq!(color_at(&frame, Vec2::new(5.0, -4.0)), BARE.background, "the ring's middle");
}

#[test]
fn a_shape_larger_than_the_view_covers_it() {
    for radius_m in [100.0, 1e9, 1e30, f32::MAX] {
        let mut list = DrawList::default();
        list.circle(Layer::LEVEL, RED, at(0.0, 0.0), radius_m, true);
        assert_eq!(color_at(&painted(&list), Vec2::new(9.0, -7.0)), RED, "radius {radius_m}");
    }
    let mut list = DrawList::default();
    list.line(Layer::LEVEL, RED, at(-1e30, 0.0), at(1e30, 0.0), 1.0);
    assert_eq!(color_at(&painted(&list), Vec2::new(2.0, 0.1)), RED);
}

#[test]
fn hidden_layers_are_not_drawn() {
    let list = guard(1.0);
    let with = |filter: &str| paint(&list, &VIEW, &BARE, &LayerFilter::parse(filter), "");
    let empty = painted(&DrawList::default());
    for layer in ["influence", "level", "senses", "paths", "bodies", "names"] {
        assert_ne!(with(layer), empty, "{layer} is seen alone");
        assert_ne!(with(&format!("-{layer}")), with("all"), "{layer} is missed");
    }
    assert_eq!(with("nonsense"), empty);
}

#[test]
fn a_label_at_the_edge_stays_inside() {
    let mut list = DrawList::default();
    list.label(Layer::NAMES, Color::rgb(0), at(-9.9, 7.9), format_args!("corner"));
    let frame = painted(&list);
    let dark: Vec<usize> = (0..frame.rgba().len() / 4).filter(|pixel| frame.rgba()[pixel * 4] < 40).collect();
    let right = dark.iter().map(|pixel| pixel % 200).max().expect("the text is seen");
    assert!((30..60).contains(&right), "all six letters stand, up to pixel {right}");
    let mut outside = DrawList::default();
    outside.label(Layer::NAMES, Color::rgb(0), at(-30.0, 0.0), format_args!("gone"));
    assert_eq!(painted(&outside), painted(&DrawList::default()));
}

#[test]
fn labels_without_room_are_counted() {
    let mut list = DrawList::default();
    for name in 0..200 {
        list.label(Layer::NAMES, Color::rgb(0), at(0.0, 0.0), format_args!("guard {name}"));
    }
    let many = painted(&list);
    let corner = |frame: &Frame| {
        (100..190)
            .flat_map(|x| (140..150).map(move |y| (x, y)))
            .any(|(x, y)| frame.pixel(x, y).is_some_and(|pixel| pixel[0] < 120))
    };
    assert!(corner(&many) && !corner(&painted(&guard(0.0))));
}

#[test]
fn caption_grid_scale_bar_and_style_change_the_picture() {
    let list = DrawList::default();
    let with = |style: &Style, caption: &str| paint(&list, &VIEW, style, &LayerFilter::all(), caption);
    let pictures = [
        with(&BARE, ""),
        with(&BARE, "firefight"),
        with(&Style { is_grid_shown: true, ..BARE }, ""),
        with(&Style { is_scale_bar_shown: true, ..BARE }, ""),
        with(&Style::dark(), ""),
    ];
    for (index, picture) in pictures.iter().enumerate() {
        assert!(pictures[..index].iter().all(|other| other != picture), "picture {index}");
    }
    assert_eq!(caption("firefight", 67.47), "firefight   1:07.4");
    assert_eq!(caption("odd", f64::NAN), "odd   0:00.0");
}

#[test]
fn a_png_decodes_to_its_frame() {
    let frame = paint(&guard(2.0), &VIEW, &Style::dark(), &LayerFilter::all(), "night");
    let (info, bytes) = decoded_png(&png(&frame));
    assert_eq!((info.0, info.1), (200, 160));
    let rgb: Vec<u8> = frame.rgba().chunks(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
    assert_eq!(bytes[0], rgb);
    let clear = Frame::from_rgba(1, 1, vec![1, 2, 3, 4]).expect("one pixel");
    assert_eq!(decoded_png(&png(&clear)).1[0], [1, 2, 3, 4]);
}

/// Size and frame count, and the bytes of every frame as stored.
fn decoded_png(file: &[u8]) -> ((u32, u32, u32), Vec<Vec<u8>>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a sound header");
    let info = reader.info();
    let frames = info.animation_control().map_or(1, |control| control.num_frames);
    let size = (info.width, info.height, frames);
    let mut pictures = Vec::new();
    for _ in 0..frames {
        let mut bytes = vec![0; reader.output_buffer_size().expect("it fits memory")];
        let output = reader.next_frame(&mut bytes).expect("a sound frame");
        bytes.truncate(output.buffer_size());
        pictures.push(bytes);
    }
    (size, pictures)
}

fn film_of(frames: &[Frame], format: FilmFormat) -> Vec<u8> {
    let mut film = Film::new(frames[0].width(), frames[0].height(), 15, format).expect("a sound size");
    for frame in frames {
        film.push(frame).expect("the same size");
    }
    assert_eq!(film.frames() as usize, frames.len());
    film.finish().expect("frames")
}

/// Five pictures, of which the third stands still.
fn walk() -> Vec<Frame> {
    [0.0, 0.5, 0.5, 1.0, 1.5]
        .map(|time_s| paint(&guard(time_s), &VIEW, &Style::light(), &LayerFilter::all(), "walk"))
        .into()
}

#[test]
fn an_apng_plays_back_every_frame_without_loss() {
    let frames = walk();
    let file = film_of(&frames, FilmFormat::Apng);
    let mut reader = png::Decoder::new(std::io::Cursor::new(&file)).read_info().expect("a sound header");
    assert_eq!(reader.info().animation_control().map(|control| (control.num_frames, control.num_plays)), Some((5, 0)));
    let mut shown = vec![0; 200 * 160 * 4];
    for frame in &frames {
        let mut bytes = vec![0; reader.output_buffer_size().expect("it fits memory")];
        reader.next_frame(&mut bytes).expect("a sound frame");
        let control = *reader.info().frame_control().expect("each has one");
        assert_eq!((control.delay_num, control.delay_den), (1, 15));
        for (index, pixel) in bytes.chunks(4).take((control.width * control.height) as usize).enumerate() {
            let (x, y) = (index as u32 % control.width, index as u32 / control.width);
            let place = (((y + control.y_offset) * 200 + x + control.x_offset) * 4) as usize;
            if pixel[3] == 255 {
                shown[place..place + 4].copy_from_slice(pixel);
            }
        }
        assert!(shown == frame.rgba(), "the picture on the screen is the one pushed");
    }
}

#[test]
fn a_gif_plays_back_every_frame_in_near_colors() {
    let frames = walk();
    let file = film_of(&frames, FilmFormat::Gif);
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(&file[..]).expect("a sound header");
    assert_eq!((reader.width(), reader.height()), (200, 160));
    let mut shown = vec![0u8; 200 * 160 * 4];
    let (mut count, mut delay_cs) = (0, 0);
    while let Some(frame) = reader.read_next_frame().expect("a sound frame") {
        for (row, pixels) in frame.buffer.chunks(usize::from(frame.width) * 4).enumerate() {
            let from = ((row + usize::from(frame.top)) * 200 + usize::from(frame.left)) * 4;
            for (old, new) in shown[from..].chunks_mut(4).zip(pixels.chunks(4)).filter(|(_, new)| new[3] > 0) {
                old.copy_from_slice(new);
            }
        }
        let off = shown.iter().zip(frames[count].rgba()).map(|(a, b)| u64::from(a.abs_diff(*b))).sum::<u64>();
        assert!(off < shown.len() as u64 / 4, "frame {count} is {off} off in all");
        count += 1;
        delay_cs += frame.delay;
    }
    assert_eq!((count, delay_cs), (5, 33));
}

#[test]
fn a_still_film_costs_little() {
    let still = vec![walk().remove(0); 60];
    let one = film_of(&still[..1], FilmFormat::Apng).len();
    assert!(film_of(&still, FilmFormat::Apng).len() < one + 60 * 160);
    assert!(film_of(&still, FilmFormat::Gif).len() < film_of(&still[..1], FilmFormat::Gif).len() + 60 * 160);
}

#[test]
fn a_sheet_shows_every_frame() {
    let mut sheet = Sheet::new(3, 100).expect("sound numbers");
    for frame in walk() {
        sheet.push(&frame, "0.5 s").expect("room");
    }
    let sheet = sheet.with_style(Style::dark()).finish().expect("frames");
    assert_eq!((sheet.width(), sheet.height()), (3 * 108 + 8, 2 * (80 + 16 + 8) + 8));
    // The paper of the last frame shows on the dark ground; the place after it is empty.
    assert_eq!(sheet.pixel(8 + 108 + 3, 8 + 104 + 16 + 3).map(|pixel| pixel[0] > 200), Some(true));
    assert_eq!(sheet.pixel(8 + 216 + 3, 8 + 104 + 16 + 3).map(|pixel| pixel[0] < 60), Some(true));
    assert_eq!(decoded_png(&png(&sheet)).0, (332, 216, 1));
}

#[test]
fn what_is_refused_is_said_in_a_sentence() {
    let said = |error: Option<FilmError>| error.expect("an error").to_string();
    assert_eq!(
        said(Film::new(0, 720, 15, FilmFormat::Apng).err()),
        "a picture of 0 x 720 px cannot be made: each side must be 1 to 4096 px"
    );
    assert_eq!(
        said(Film::new(9, SIDE_PX_MAX + 1, 15, FilmFormat::Gif).err()),
        "a picture of 9 x 4097 px cannot be made: each side must be 1 to 4096 px"
    );
    assert_eq!(
        said(Film::new(9, 9, 0, FilmFormat::Gif).err()),
        "a film of 0 frames per second cannot be made: the rate must be 1 to 50"
    );
    let empty = "there is no frame to show: push at least one before finishing";
    let mut film = Film::new(9, 9, 15, FilmFormat::Apng).expect("a sound size");
    assert_eq!(
        said(film.push(&walk()[0]).err()),
        "frame 0 is 200 x 160 px, but the film is 9 x 9 px: paint every frame with the same view size"
    );
    assert_eq!(said(film.finish().err()), empty);
    assert_eq!(
        said(Frame::from_rgba(2, 3, vec![0; 23]).err()),
        "a frame of 2 x 3 px needs 24 bytes (4 for a pixel), but 23 were given"
    );
    assert_eq!(said(Frame::from_rgba(2, 0, Vec::new()).err()), FilmError::Size { width: 2, height: 0 }.to_string());
    assert_eq!(said(Sheet::new(0, 100).err()), "a sheet of 0 columns cannot be made: columns must be 1 to 16");
    assert_eq!(
        said(Sheet::new(4, 5000).err()),
        "frames 5000 px wide cannot be laid on a sheet: the width must be 16 to 1024 px"
    );
    assert_eq!(said(Sheet::new(4, 100).expect("sound numbers").finish().err()), empty);
    let dot = Frame::from_rgba(1, 1, vec![0; 4]).expect("one pixel");
    let mut sheet = Sheet::new(16, 1024).expect("sound numbers");
    for _ in 0..256 {
        sheet.cells_for_test().push((dot.clone(), String::new()));
    }
    assert_eq!(
        said(sheet.push(&dot, "").err()),
        "a sheet holds at most 256 frames: push every second or third frame instead"
    );
    let tall = Frame::from_rgba(1, 4096, vec![0; 4096 * 4]).expect("a thin frame");
    let mut sheet = Sheet::new(1, 1024).expect("sound numbers");
    *sheet.cells_for_test() = vec![(tall, String::new()); 20];
    assert_eq!(
        said(sheet.finish().err()),
        "the sheet would be 1040 x 82408 px, more than 64 million pixels: take fewer frames or a smaller frame width"
    );
    assert_eq!(said(Some(FilmError::Encode("why".to_owned()))), "the frame could not be encoded: why");
}

/// Ordinary numbers, and every other bit pattern there is.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![3 => -15.0f32..15.0, 1 => any::<u32>().prop_map(f32::from_bits), 1 => Just(f32::INFINITY), 1 => Just(f32::NAN)]
}

fn point() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from_array)
}

fn shape() -> impl Strategy<Value = Shape> {
    let range = || (0u32..20, 0u32..40).prop_map(|(from, to)| from..to);
    prop_oneof![
        (point(), point(), number()).prop_map(|(from, to, width_m)| Shape::Line { from, to, width_m }),
        (point(), point(), number()).prop_map(|(from, to, width_m)| Shape::Arrow { from, to, width_m }),
        (point(), number(), any::<bool>()).prop_map(|(center, radius_m, is_filled)| Shape::Circle {
            center,
            radius_m,
            is_filled
        }),
        (point(), number(), number(), number()).prop_map(|(center, yaw, half_angle, radius_m)| Shape::Sector {
            center,
            yaw,
            half_angle,
            radius_m
        }),
        range().prop_map(|corners| Shape::Polygon { corners }),
        (range(), number()).prop_map(|(corners, foot_m)| Shape::Prism { corners, foot_m }),
        (point(), range()).prop_map(|(at, text)| Shape::Label { at, text }),
        (point(), number(), any::<[u32; 2]>(), range()).prop_map(|(origin, cell_m, size, values)| Shape::Heat {
            origin,
            cell_m,
            size: size.into(),
            values
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_shape_makes_it_panic_and_the_same_list_gives_the_same_bytes(
        shapes in prop::collection::vec((shape(), any::<[u8; 4]>()), 0..24),
        corners in prop::collection::vec(point(), 0..12),
        text in "\\PC{0,30}",
        values in prop::collection::vec(number(), 12),
        center in [number(), number()],
        meters_across in number(),
        sides in prop_oneof![[0u32..300, 0u32..200], Just([16, 16])],
    ) {
        let mut list = DrawList::default();
        list.polygon(Layer::LEVEL, RED, corners);
        list.label(Layer::NAMES, RED, Vec3::ZERO, format_args!("{text}"));
        list.heat(Layer("influence"), RED, at(1.0, 1.0), 0.7, UVec2::new(4, 3), &values);
        for (shape, [r, g, b, a]) in shapes {
            list.add(Layer::BODIES, Color { r, g, b, a }, shape);
        }
        let view = View { center: Vec2::from_array(center), meters_across, width_px: sides[0], height_px: sides[1] };
        let frame = paint(&list, &view, &Style::light(), &LayerFilter::all(), &text);
        prop_assert_eq!((frame.width(), frame.height()), (sides[0].max(16), sides[1].max(16)));
        prop_assert!(frame.rgba().chunks(4).all(|pixel| pixel[3] == 255), "the picture stays opaque");
        let again = paint(&list.clone(), &view, &Style::light(), &LayerFilter::all(), &text);
        prop_assert!(frame == again);
        let fitted = View::fit(list.bounds(|_| true), sides[0], meters_across);
        paint(&list, &fitted, &Style::dark(), &LayerFilter::all(), &text);
    }

    /// What is not finite is as good as not there.
    #[test]
    fn shapes_that_are_not_finite_are_skipped(shape in shape(), which in 0usize..3, odd in prop_oneof![Just(f32::NAN), Just(f32::NEG_INFINITY)]) {
        let mut broken = shape;
        match &mut broken {
            Shape::Line { from: place, .. } | Shape::Arrow { to: place, .. } | Shape::Circle { center: place, .. }
            | Shape::Sector { center: place, .. } | Shape::Label { at: place, .. } | Shape::Heat { origin: place, .. } => {
                // Height is not seen from above.
                place[if which == 1 { 0 } else { which }] = odd;
            }
            Shape::Polygon { .. } | Shape::Prism { .. } => {}
        }
        let mut list = DrawList::default();
        let is_polygon = matches!(broken, Shape::Polygon { .. } | Shape::Prism { .. });
        list.add(Layer::BODIES, RED, broken);
        if is_polygon {
            list.polygon(Layer::BODIES, RED, [at(0.0, 0.0), at(odd, 0.0), at(0.0, 5.0)]);
        }
        prop_assert!(painted(&list) == painted(&DrawList::default()));
    }
}

/// A picture whose bytes are held across machines and changes of dependencies.
#[test]
fn the_bytes_are_pinned() {
    let frame = paint(&guard(2.5), &VIEW, &Style::light(), &LayerFilter::all(), "pinned");
    // FNV-1a, 64 bits.
    let hash = frame
        .rgba()
        .iter()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
    assert_eq!(format!("{hash:016x}"), "18651b83b8238b1e");
}
