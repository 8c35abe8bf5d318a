//! From bytes to specs: which reader reads which name, the stock levels, and the readers as a table for fuzzing.

use crate::error::{LevelError, Place, Problem, nearest};
use crate::level::Level;
use crate::spec::LevelSpec;
use crate::{bsp, image, obj, tile, yaml};

/// Reads a level by the end of its name: `.yaml` or `.yml`, `.txt` (tiles), `.png` (tiles), `.obj`, `.bsp`
/// (Quake III); with the feature `gltf` also `.glb` and `.gltf`.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending.to_ascii_lowercase().as_str() {
        "yaml" | "yml" => yaml::parse(bytes, name),
        "txt" => tile::parse(bytes, name),
        "png" => image::parse(bytes, name),
        "obj" => obj::parse(bytes, name),
        "bsp" => bsp::parse(bytes, name),
        #[cfg(feature = "gltf")]
        "glb" | "gltf" => crate::gltf::parse(bytes, name),
        #[cfg(not(feature = "gltf"))]
        "glb" | "gltf" => {
            let why = "glTF is read only by programs built with the feature `gltf` of sentir_level";
            Err(LevelError { file: name.to_owned(), place: Place::default(), problem: Problem::Wrong(why) })
        }
        _ => Err(LevelError { file: name.to_owned(), place: Place::default(), problem: Problem::UnknownFormat }),
    }
}

/// The levels that come with the library: name and YAML.
pub const STOCK: &[(&str, &[u8])] = &[
    ("yard", include_bytes!("../levels/yard.yaml")),
    ("range", include_bytes!("../levels/range.yaml")),
    ("doorway", include_bytes!("../levels/doorway.yaml")),
    ("collapse", include_bytes!("../levels/collapse.yaml")),
    ("heights", include_bytes!("../levels/heights.yaml")),
];

/// A stock level by name, built.
pub fn stock(name: &str) -> Result<Level, LevelError> {
    match STOCK.iter().find(|(one, _)| *one == name) {
        Some((_, bytes)) => yaml::parse(bytes, &format!("{name}.yaml"))?.build(),
        None => {
            let nearest = nearest(name, STOCK.iter().map(|(one, _)| *one));
            let problem = Problem::UnknownName { what: "stock level", name: name.to_owned(), nearest };
            Err(LevelError { file: name.to_owned(), place: Place::default(), problem })
        }
    }
}

/// A reader fed with any bytes.
pub type Loader = fn(&[u8]);

/// Every reader, by name, to be fed with any bytes: reads, builds, and lets errors be. None may panic, hang or allocate far
/// more than it was given.
pub const LOADERS: &[(&str, Loader)] = &[
    ("yaml", fuzz_yaml),
    ("tile", fuzz_tile),
    ("image", fuzz_image),
    ("obj", fuzz_obj),
    ("bsp", fuzz_bsp),
    #[cfg(feature = "gltf")]
    ("gltf", fuzz_gltf),
];

/// Feeds the reader of YAML levels.
pub fn fuzz_yaml(bytes: &[u8]) {
    let _ = yaml::parse(bytes, "fuzz.yaml").and_then(|spec| spec.build());
}

/// Feeds the reader of text tile maps.
pub fn fuzz_tile(bytes: &[u8]) {
    let _ = tile::parse(bytes, "fuzz.txt").and_then(|spec| spec.build());
}

/// Feeds the reader of pictures.
pub fn fuzz_image(bytes: &[u8]) {
    let _ = image::parse(bytes, "fuzz.png").and_then(|spec| spec.build());
}

/// Feeds the reader of OBJ meshes.
pub fn fuzz_obj(bytes: &[u8]) {
    let _ = obj::parse(bytes, "fuzz.obj").and_then(|spec| spec.build());
}

/// Feeds the reader of Quake III levels, and that of what is drawn of them.
pub fn fuzz_bsp(bytes: &[u8]) {
    let _ = bsp::parse(bytes, "fuzz.bsp").and_then(|spec| spec.build());
    let _ = bsp::drawn(bytes, "fuzz.bsp");
}

/// Feeds the reader of glTF scenes.
#[cfg(feature = "gltf")]
pub fn fuzz_gltf(bytes: &[u8]) {
    let _ = crate::gltf::parse(bytes, "fuzz.glb").and_then(|spec| spec.build());
}
