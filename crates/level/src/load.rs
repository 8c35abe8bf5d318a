//! From bytes to specs: which reader reads which name, the stock levels, and the readers as a table for fuzzing.

use crate::error::{FilePosition, LevelError, Problem};
use crate::spec::LevelSpec;
use crate::{bsp, obj, tile};

/// Reads a level by the end of its name: `.txt` (tiles), `.obj`, `.bsp` (Quake III); with the feature of that name also
/// `.yaml` or `.yml`, `.png` (tiles), `.glb` and `.gltf`.
pub fn parse(bytes: &[u8], name: &str) -> Result<LevelSpec, LevelError> {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    let refused = |problem| Err(LevelError { file: name.to_owned(), place: FilePosition::default(), problem });
    match ending.to_ascii_lowercase().as_str() {
        #[cfg(feature = "yaml")]
        "yaml" | "yml" => crate::yaml::parse(bytes, name),
        #[cfg(not(feature = "yaml"))]
        "yaml" | "yml" => {
            refused(Problem::Wrong("YAML is read only by programs built with the feature `yaml` of sentir_level"))
        }
        "txt" => tile::parse(bytes, name),
        #[cfg(feature = "png")]
        "png" => crate::image::parse(bytes, name),
        #[cfg(not(feature = "png"))]
        "png" => {
            refused(Problem::Wrong("pictures are read only by programs built with the feature `png` of sentir_level"))
        }
        "obj" => obj::parse(bytes, name),
        "bsp" => bsp::parse(bytes, name),
        #[cfg(feature = "gltf")]
        "glb" | "gltf" => crate::gltf::parse(bytes, name),
        #[cfg(not(feature = "gltf"))]
        "glb" | "gltf" => {
            refused(Problem::Wrong("glTF is read only by programs built with the feature `gltf` of sentir_level"))
        }
        _ => refused(Problem::UnknownFormat),
    }
}

/// The levels that come with the library: name and YAML.
#[cfg(feature = "yaml")]
pub const STOCK: &[(&str, &[u8])] = &[
    ("yard", include_bytes!("../levels/yard.yaml")),
    ("range", include_bytes!("../levels/range.yaml")),
    ("doorway", include_bytes!("../levels/doorway.yaml")),
    ("collapse", include_bytes!("../levels/collapse.yaml")),
    ("heights", include_bytes!("../levels/heights.yaml")),
];

/// A stock level by name, built.
#[cfg(feature = "yaml")]
pub fn stock(name: &str) -> Result<crate::level::Level, LevelError> {
    match STOCK.iter().find(|(one, _)| *one == name) {
        Some((_, bytes)) => crate::yaml::parse(bytes, &format!("{name}.yaml"))?.build(),
        None => {
            let nearest = crate::error::nearest(name, STOCK.iter().map(|(one, _)| *one));
            let problem = Problem::UnknownName { what: "stock level", name: name.to_owned(), nearest };
            Err(LevelError { file: name.to_owned(), place: FilePosition::default(), problem })
        }
    }
}

/// A reader fed with any bytes.
pub type Loader = fn(&[u8]);

/// Every reader, by name, to be fed with any bytes: reads, builds, and lets errors be. None may panic, hang or allocate far
/// more than it was given.
pub const LOADERS: &[(&str, Loader)] = &[
    #[cfg(feature = "yaml")]
    ("yaml", fuzz_yaml),
    ("tile", fuzz_tile),
    #[cfg(feature = "png")]
    ("image", fuzz_image),
    ("obj", fuzz_obj),
    ("bsp", fuzz_bsp),
    #[cfg(feature = "gltf")]
    ("gltf", fuzz_gltf),
];

/// Feeds the reader of YAML levels.
#[cfg(feature = "yaml")]
pub fn fuzz_yaml(bytes: &[u8]) {
    let _ = crate::yaml::parse(bytes, "fuzz.yaml").and_then(|spec| spec.build());
}

/// Feeds the reader of text tile maps.
pub fn fuzz_tile(bytes: &[u8]) {
    let _ = tile::parse(bytes, "fuzz.txt").and_then(|spec| spec.build());
}

/// Feeds the reader of pictures.
#[cfg(feature = "png")]
pub fn fuzz_image(bytes: &[u8]) {
    let _ = crate::image::parse(bytes, "fuzz.png").and_then(|spec| spec.build());
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
