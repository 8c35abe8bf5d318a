//! Contract: every refusal is a sentence that says what, where, what was expected and the nearest valid name.

use sentir_level::image::{ColorTag, parse_with};
use sentir_level::{LevelSpec, STOCK, parse, stock, tile, yaml};

pub const TILES: &str = "// An islet.\nname: islet\ncell_m: 2\norigin: -4 -3\nlegend:\n. grass\n~ water impassable\nmap:\n~~~~\n~..~\n~.~~\n";
pub const OBJ: &str = "# A roof.\nv 0 0 0\nv 4 0 0\nv 4 0 -4\nv 0 0 -4\nv 2 2 -2\nusemtl window\nf 1 2 5\nf 2/1 3/2 5/3\nusemtl tin\nf -3 -2 -1\nf 4 1 5\nf 1 4 3 2\nf 1 1 2\n";

/// A gray picture.
pub fn png(width: u32, height: u32, pixel: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    let pixels: Vec<u8> = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect();
    let mut writer = encoder.write_header().expect("a vector takes bytes");
    writer.write_image_data(&pixels).expect("a vector takes bytes");
    drop(writer);
    bytes
}

/// The checksum of PNG chunks.
pub fn crc(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _: u32| if sum & 1 == 1 { 0xedb8_8320 ^ (sum >> 1) } else { sum >> 1 };
    !bytes.iter().fold(!0u32, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

/// What a YAML level is refused with, by reading or by building.
fn say(text: &str) -> String {
    let built = yaml::parse(text.as_bytes(), "a.yaml").and_then(|spec| spec.build());
    built.map(|_| ()).expect_err(text).to_string()
}

#[test]
fn yaml_of_the_wrong_shape() {
    assert_eq!(
        say("name: a\nfloors:\n  - { name: g, levle_m: 3 }\n"),
        "a.yaml:3:16: unknown key `levle_m` (did you mean `level_m`?): expected `name`, `level_m`, `down_m`, `up_m`, `outline`"
    );
    assert_eq!(
        say("name: a\nsolids:\n  - boxx: { at: [0, 0] }\n"),
        "a.yaml:3:5: unknown kind `boxx` (did you mean `box`?): expected `box`, `wall`, `ramp`, `stairs`, `slab`, `mesh`"
    );
    assert_eq!(say("name: a\nspawns:\n  - { team: red }\n"), "a.yaml:3:5: `at` is missing");
    assert_eq!(say("name: a\nname: b\n"), "a.yaml:2:1: two keys are called `name`: expected every name once");
    assert_eq!(say("name: a\nspawns:\n  - { team: red, at: [x, 0] }\n"), "a.yaml:3:23: found text: expected a number");
    assert_eq!(
        say("name: a\nareas:\n  - { name: [], kind: x, outline: [[0, 0]] }\n"),
        "a.yaml:3:13: found a list: expected text"
    );
    assert_eq!(
        say("name: a\nsurfaces:\n  - { name: x, blocks_sight: maybe }\n"),
        "a.yaml:3:30: found text: expected `true` or `false`"
    );
    assert_eq!(say("name: a\nitems: [{ kind: x, at: [1] }]\n"), "a.yaml:2:24: found 1 values: expected 2");
    assert_eq!(say("name: a\nitems: 7\n"), "a.yaml:2:8: found a whole number: expected a list");
    assert_eq!(say("name: a\nfloors: [}\n"), "a.yaml:2:9: mismatched bracket '[' closed by '}'");
    assert_eq!(say(""), "a.yaml:1:1: `name` is missing");
    assert_eq!(say("---\nname: a\n---\nname: b\n"), "a.yaml:3:1: a second document begins here: expected one a file");
    assert_eq!(say("floors: &all []\n"), forbidden("1:9", "anchors (`&`)"));
    assert_eq!(say("name: *all\n"), forbidden("1:7", "aliases (`*`)"));
    assert_eq!(say("name: !!str a\n"), forbidden("1:7", "tags (`!`)"));
    assert_eq!(say("name: a\n<<: {}\n"), forbidden("2:1", "merge keys (`<<`)"));
    yaml::parse(b"name: 'no !tag & no *alias' # nor !here\n", "a.yaml").unwrap();
    let deep = format!("name: a\nfloors: {}{}\n", "[".repeat(80), "]".repeat(80));
    assert_eq!(say(&deep), "a.yaml:2:72: nested too deeply here: expected at most 64 levels");
    let long = vec![b' '; yaml::BYTES_MAX + 1];
    let long = yaml::parse(&long, "a.yaml").unwrap_err().to_string();
    assert_eq!(long, "a.yaml: 1048577 bytes are too many: expected at most 1048576");
    assert_eq!(yaml::parse(&[0xff], "a.yaml").unwrap_err().to_string(), "a.yaml: not UTF-8 text");
}

fn forbidden(place: &str, what: &str) -> String {
    format!("a.yaml:{place}: {what} are not used in these files: write the value out")
}

#[test]
fn names_that_are_unknown_or_twice() {
    assert_eq!(
        say("name: a\nsolids:\n  - box: { at: [0, 0], size: [1, 1], height_m: 1, surface: windov }\n"),
        "a.yaml:3:5: no surface is called `windov` (did you mean `window`?)"
    );
    assert_eq!(
        say("name: a\nfloors: [{ name: attic }]\nitems:\n  - { kind: ammo, at: [0, 0], floor: atic }\n"),
        "a.yaml:4:5: no floor is called `atic` (did you mean `attic`?)"
    );
    assert_eq!(say("name: a\nsolids:\n  - mesh: { name: xyz }\n"), "a.yaml:3:5: no mesh is called `xyz`");
    let area = "{ name: base, kind: goal, outline: [[0, 0], [1, 0], [0, 1]] }";
    let twice = |list: &str, one: &str| say(&format!("name: a\n{list}:\n  - {one}\n  - {one}\n"));
    assert_eq!(twice("areas", area), "a.yaml:4:5: two areas are called `base`: expected every name once");
    assert_eq!(twice("floors", "{ name: g }"), "a.yaml:4:5: two floors are called `g`: expected every name once");
    let piece = "{ name: p, at: [0, 0], solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 1 } }] }";
    assert_eq!(twice("pieces", piece), "a.yaml:4:5: two pieces are called `p`: expected every name once");
    let solid = "name: a\nsurfaces: [{ name: solid }]\n";
    assert_eq!(say(solid), "a.yaml:2:12: two surfaces are called `solid`: expected every name once");
    assert_eq!(say("name: ''\n"), "a.yaml: a name needs 1 to 256 letters");
    assert_eq!(stock("yrad").unwrap_err().to_string(), "yrad: no stock level is called `yrad` (did you mean `yard`?)");
    assert_eq!(
        parse(b"", "level.blend").unwrap_err().to_string(),
        "level.blend: unknown kind of level file: expected a name that ends in .yaml, .yml, .txt, .png, .obj or .bsp"
    );
}

#[test]
fn numbers_out_of_range() {
    let solid = |text: &str| say(&format!("name: a\nsolids:\n  - {text}\n"));
    assert_eq!(
        solid("box: { at: [.nan, 0], size: [1, 1], height_m: 1 }"),
        "a.yaml:3:17: found `.nan`: expected a finite number"
    );
    assert_eq!(
        solid("box: { at: [0, 0], size: [1, .inf], height_m: 1 }"),
        "a.yaml:3:34: found `.inf`: expected a finite number"
    );
    assert_eq!(
        solid("stairs: { from: [0, 0], to: [1, 0], width_m: 1, rise_m: 1, steps: 0 }"),
        "a.yaml:3:5: `steps` is 0: expected 1 to 256"
    );
    assert_eq!(
        solid("ramp: { from: [0, 0], to: [0, 0], width_m: 1, rise_m: 1 }"),
        "a.yaml:3:5: two neighboring corners are in one place: expected at least 1 mm between"
    );
    assert_eq!(
        solid("wall: { along: [[0, 0]], height_m: 1 }"),
        "a.yaml:3:5: a wall needs at least two corners in `along`"
    );
    let item = "name: a\nitems:\n  - { kind: ammo, at: [0, 0], respawn_s: -1 }\n";
    assert_eq!(say(item), "a.yaml:3:5: `respawn_s` is -1: expected 0 to 1000000");
    let piece = |more: &str| {
        let solids = "solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 1 } }]";
        say(&format!("name: a\npieces:\n  - {{ name: p, at: [0, 0], {solids}, {more} }}\n"))
    };
    assert_eq!(piece("health: 0"), "a.yaml:3:5: `health` is 0: expected 0.001 to 1000000000");
    assert_eq!(piece("door: { open_s: 0 }"), "a.yaml:3:5: `open_s` is 0: expected 0.01 to 1000");
    assert_eq!(piece("path: { stops: [], back_s: 1 }"), "a.yaml:3:5: the count of `stops` is 0: expected 1 to 64");
    assert_eq!(
        piece("door: {}, path: { stops: [{ travel_s: 1 }], back_s: 1 }"),
        "a.yaml:3:5: a piece has a `door` or a `path`, not both: a door is moved by opening it"
    );
    let empty = "name: a\npieces:\n  - { name: p, at: [0, 0], solids: [] }\n";
    assert_eq!(say(empty), "a.yaml:3:5: a piece needs at least one solid");
    let local = "name: a\nfloors: [{ name: g }]\npieces:\n  - { name: p, at: [0, 0], solids: [{ box: { at: [0, 0], size: [1, 1], height_m: 1, floor: g } }] }\n";
    assert_eq!(say(local), "a.yaml:4:37: a piece's solids name no floor: the piece does");
}

#[test]
fn polygons_that_are_none() {
    let slab = |text: &str| say(&format!("name: a\nsolids:\n  - slab: {{ {text} }}\n"));
    let square = "outline: [[0, 0], [4, 0], [4, 4], [0, 4]]";
    assert_eq!(
        slab("outline: [[0, 0], [4, 4], [4, 0], [0, 4]]"),
        "a.yaml:3:5: the outline is no simple polygon: the sides after corners 1 and 3 cross"
    );
    assert_eq!(
        slab("outline: [[0, 0], [4, 4]]"),
        "a.yaml:3:5: the outline is no simple polygon: it has 2 corners, expected at least 3"
    );
    assert_eq!(
        slab("outline: [[0, 0], [4, 4], [0, 0]]"),
        "a.yaml:3:5: the outline is no simple polygon: corners 1 and 3 are in one place"
    );
    assert_eq!(
        slab(&format!("{square}, holes: [[[1, 1], [2, 1], [1, 2]], [[1, 1.5], [3, 1.5], [1.5, 3]]]")),
        "a.yaml:3:5: the outline is no simple polygon: hole 2 is not inside it, or meets another hole"
    );
    let many: Vec<String> = (0..513).map(|index| format!("[{index}, {}]", index * index)).collect();
    assert_eq!(
        slab(&format!("outline: [{}]", many.join(", "))),
        "a.yaml:3:5: 513 corners of a polygon are too many: expected at most 512"
    );
}

#[test]
fn spawns_that_cannot_stand() {
    let ground = "name: a\nsolids:\n  - slab: { outline: [[0, 0], [9, 0], [9, 9], [0, 9]], thickness_m: 0.5 }\n";
    let spawn = |more: &str, at: &str| say(&format!("{ground}{more}spawns:\n  - {{ team: red, at: {at} }}\n"));
    assert_eq!(
        spawn("", "[12, 3]"),
        "a.yaml:5:5: the spawn of team `red` at (12, 3) stands on nothing: expected ground within 0.5 m of its height"
    );
    let inside = "the spawn of team `red` at (4, 4) is inside something solid: expected room for a body 0.6 m wide and 1.8 m high";
    assert_eq!(
        spawn("  - wall: { along: [[4, 0], [4, 9]], height_m: 3 }\n", "[4, 4]"),
        format!("a.yaml:6:5: {inside}")
    );
    let block = "  - box: { at: [4, 4], size: [6, 6], height_m: 5 }\n";
    assert_eq!(spawn(block, "[4, 4]"), format!("a.yaml:6:5: {inside}"), "far from its surface, too");
    let tiles =
        "name: a\ntiles:\n  - { legend: [{ mark: '#', tag: rock, is_impassable: true }], rows: ['#####', '#####'] }\n";
    let tiles = say(&format!("{tiles}spawns:\n  - {{ team: red, at: [1, 1] }}\n"));
    assert!(tiles.contains("is inside something solid"), "{tiles}");
}

fn say_tiles(text: &str) -> String {
    tile::parse(text.as_bytes(), "a.txt").and_then(|spec| spec.build()).map(|_| ()).expect_err(text).to_string()
}

#[test]
fn tile_maps() {
    let level = tile::parse(TILES.as_bytes(), "a.txt").and_then(|spec| spec.build()).unwrap();
    let map = &level.tiles()[0];
    assert_eq!((level.name(), map.size, map.cell_m), ("islet", glam::UVec2::new(4, 3), 2.0));
    let tag =
        |x: f32, y: f32| map.cell_at(glam::Vec2::new(x, y)).and_then(|cell| map.tag(cell)).map(|tag| tag.name.as_str());
    assert_eq!(
        [tag(-1.0, -2.5), tag(1.0, -2.5), tag(1.0, 0.0), tag(-4.1, 0.0)],
        [Some("grass"), Some("water"), Some("grass"), None]
    );
    assert_eq!(
        say_tiles("cell: 2\nmap:\n.\n"),
        "a.txt:1:1: unknown key `cell` (did you mean `cell_m`?): expected `name`, `floor`, `cell_m`, `origin`, `legend`, `map`"
    );
    assert_eq!(
        say_tiles("origin: 2\n"),
        "a.txt:1:1: cannot read `origin: 2`: expected two numbers, as in `origin: 0 0`"
    );
    assert_eq!(say_tiles("cell_m: x\n"), "a.txt:1:1: cannot read `cell_m: x`: expected a number, as in `cell_m: 1`");
    assert_eq!(say_tiles("hello\n"), "a.txt:1:1: cannot read `hello`: expected `key: value`");
    assert_eq!(
        say_tiles("legend:\n.grass\n"),
        "a.txt:2:1: cannot read `.grass`: expected a mark and a name, as in `~ water impassable`"
    );
    assert_eq!(
        say_tiles("map: ...\n"),
        "a.txt:1:1: cannot read `map: ...`: expected nothing after the colon: what belongs to it follows on the next lines"
    );
    assert_eq!(say_tiles("legend:\n. grass\n"), "a.txt: `map:` is missing");
    assert_eq!(say_tiles("legend:\n. grass\nmap:\n..x\n"), "a.txt:4:3: unknown mark `x`: expected `.`");
    assert_eq!(
        say_tiles("legend:\n. grass\nmap:\n...\n..\n"),
        "a.txt:5:1: the rows of a tile map are not of one length"
    );
    assert_eq!(
        say_tiles("legend:\n. grass\n. path\nmap:\n.\n"),
        "a.txt:3:1: two kinds of the legend are called `.`: expected every name once"
    );
    assert_eq!(say_tiles("legend:\n. grass\nmap:\n"), "a.txt: a tile map needs at least one row of at least one tile");
    let wide = format!("legend:\n. grass\nmap:\n{}\n", ".".repeat(4097));
    assert_eq!(say_tiles(&wide), "a.txt: 4097 tiles in a row or column are too many: expected at most 4096");
    assert_eq!(say_tiles("cell_m: nan\nlegend:\n. grass\nmap:\n.\n"), "a.txt: `cell_m` is NaN: expected 0.01 to 1000");
}

#[test]
fn pictures() {
    let level = parse(&png(3, 2, |x, y| if x == 0 && y == 0 { 0 } else { 255 }), "a.png")
        .and_then(|spec| spec.build())
        .unwrap();
    let map = &level.tiles()[0];
    assert_eq!(map.cells, [0, 0, 0, 1, 0, 0], "the top of the picture is the far row");
    assert!(map.tags[1].is_impassable && !map.tags[0].is_impassable);
    let gray = png(3, 2, |x, y| if (x, y) == (2, 1) { 128 } else { 255 });
    assert_eq!(
        parse(&gray, "a.png").unwrap_err().to_string(),
        "a.png: the pixel in column 2, row 1 has the color #808080, which the legend does not name"
    );
    let legend = [(0xff_ffff, "grass", false), (0x80_8080, "rock", true)].map(|(color, tag, is_impassable)| ColorTag {
        color,
        tag: tag.to_owned(),
        is_impassable,
    });
    let level = parse_with(&gray, "a.png", &legend, 0.5).and_then(|spec| spec.build()).unwrap();
    assert_eq!(level.tiles()[0].cells, [0, 0, 1, 0, 0, 0]);
    let error = parse(b"not a picture", "a.png").unwrap_err().to_string();
    assert!(error.starts_with("a.png: cannot read the picture: "), "{error}");
}

fn say_obj(text: &str) -> String {
    parse(text.as_bytes(), "a.obj").and_then(|spec| spec.build()).map(|_| ()).expect_err(text).to_string()
}

#[test]
fn meshes() {
    let mut spec = parse(OBJ.as_bytes(), "a.obj").unwrap();
    let level = spec.build().unwrap();
    assert_eq!((level.triangle_count(), level.dropped_triangle_count()), (6, 1), "one face has no area");
    assert_eq!(say_obj("v 0 0\n"), "a.obj:1:1: cannot read `v 0 0`: expected three coordinates, as in `v 1 0 -2.5`");
    assert_eq!(say_obj("v 0 0 y\n"), "a.obj:1:7: cannot read `y`: expected three coordinates, as in `v 1 0 -2.5`");
    assert_eq!(say_obj("v 0 inf 0\n"), "a.obj:1:5: the coordinate is inf: expected -10000 to 10000");
    assert_eq!(
        say_obj("v 0 0 0\nf 1 1 2\n"),
        "a.obj:2:7: cannot read `2`: expected the number of a vertex above, as in `3` or `-1`"
    );
    assert_eq!(
        say_obj("v 0 0 0\nf 0 1 1\n"),
        "a.obj:2:3: cannot read `0`: expected the number of a vertex above, as in `3` or `-1`"
    );
    assert_eq!(
        say_obj("v 0 0 0\nf 1 1\n"),
        "a.obj:2:1: cannot read `f 1 1`: expected at least three corners, as in `f 1 2 3`"
    );
    let many = format!("v 0 0 0\nf{}\n", " 1".repeat(65));
    assert_eq!(say_obj(&many), "a.obj:2:131: 65 corners of a face are too many: expected at most 64");
    assert_eq!(say_obj("v 0 0 0\n"), "a.obj: the mesh has no faces: expected at least one line `f 1 2 3`");
    let sentir_level::spec::SolidSpec::Mesh(used) = &mut spec.solids[0].value else { panic!("a mesh") };
    used.surfaces.insert("tim".into(), "fence".into());
    let error = spec.build().unwrap_err().to_string();
    assert_eq!(error, "a.obj: no material of the mesh is called `tim` (did you mean `tin`?)");
}

#[test]
fn specs_made_by_code_that_no_file_could_hold() {
    let mut spec = parse(OBJ.as_bytes(), "a.obj").unwrap();
    let mesh = spec.meshes.get_mut("a.obj").unwrap();
    mesh.triangles[0][0] = 99;
    let error = spec.build().unwrap_err().to_string();
    assert_eq!(error, "a.obj: a triangle of the mesh names a vertex or material that is not there");
    let mut spec = parse(&png(3, 2, |_, _| 255), "a.png").unwrap();
    spec.tiles[0].value.cells.as_mut().unwrap().columns = 4;
    let error = spec.build().unwrap_err().to_string();
    assert_eq!(error, "a.png: the tiles are not whole rows of kinds that the legend names");
    spec.tiles[0].value.legend.clear();
    let error = spec.build().unwrap_err().to_string();
    assert_eq!(error, "a.png: the count of kinds in the legend is 0: expected 1 to 255");
    let colors = vec![ColorTag { color: 0, tag: "rock".into(), is_impassable: true }; 256];
    let error = parse_with(&png(1, 1, |_, _| 0), "a.png", &colors, 1.0).unwrap_err().to_string();
    assert_eq!(error, "a.png: 256 colors of the legend are too many: expected at most 255");
    let piece = "{ name: p, at: [0, 0], solids: [] }, ";
    assert_eq!(
        say(&format!("name: a\npieces: [{}]\n", piece.repeat(1025))),
        "a.yaml: 1025 pieces are too many: expected at most 1024"
    );
}

#[test]
fn a_spec_made_by_code_is_named_by_its_level() {
    let error = LevelSpec { name: "mine".into(), items: vec![item("attic").into()], ..LevelSpec::default() }.build();
    assert_eq!(error.unwrap_err().to_string(), "mine: no floor is called `attic`");
    assert_eq!(STOCK.len(), 5);
}

fn item(floor: &str) -> sentir_level::spec::ItemSpec {
    let (kind, floor) = ("ammo".to_owned(), Some(floor.to_owned()));
    sentir_level::spec::ItemSpec { kind, at: [0.0; 2], base_m: 0.0, amount: 1.0, respawn_s: 0.0, floor }
}
