//! Brushes and faces become meshes of triangles with a class each.

use glam::{DVec3, Vec3};

use crate::error::Problem;
use crate::mesh::{MeshSpec, TRIANGLES_MAX};
use crate::spec::MeshUseSpec;

use super::brush::Cutter;
use super::class::{self, Class};
use super::lump::{Bsp, Face, FaceKind, Model, Texture};
use super::{meters, patch};

/// A mesh in the making, in meters and our axes.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// What is there already.
    pub mesh: MeshSpec,
}

impl Default for Sheet {
    fn default() -> Sheet {
        Sheet { mesh: MeshSpec { material_names: class::names(), ..MeshSpec::default() } }
    }
}

impl Sheet {
    /// Adds a convex polygon of the file, moved by `shift`, as a fan from its first corner.
    pub(super) fn polygon(&mut self, corners: &[DVec3], class: Class, shift: [f32; 3]) -> Result<(), Problem> {
        let moved = |corner: &DVec3| Vec3::from(corner.as_vec3().to_array()) + Vec3::from(shift);
        let corners: Vec<Vec3> = corners.iter().map(moved).collect();
        let Some((&first, rest)) = corners.split_first() else { return Ok(()) };
        for pair in rest.windows(2) {
            let has_area = (pair[0] - first).cross(pair[1] - first).length_squared() > 1e-6;
            if has_area {
                self.triangle([first, pair[0], pair[1]], class.0)?;
            }
        }
        Ok(())
    }

    /// Adds a triangle of the file.
    fn triangle(&mut self, corners: [Vec3; 3], material: u16) -> Result<(), Problem> {
        let mesh = &mut self.mesh;
        if mesh.triangles.len() >= TRIANGLES_MAX {
            let limit = TRIANGLES_MAX as u64;
            return Err(Problem::TooMany { what: "triangles", count: limit + 1, limit });
        }
        let first = mesh.vertices.len() as u32;
        mesh.vertices.extend(corners.map(|corner| meters(corner.to_array()).to_array()));
        mesh.triangles.push([first, first + 1, first + 2]);
        mesh.materials.push(material);
        Ok(())
    }
}

/// A mesh placed as it is.
pub(super) fn use_of(name: &str) -> MeshUseSpec {
    MeshUseSpec {
        name: name.to_owned(),
        at: [0.0; 2],
        yaw_deg: 0.0,
        scale: 1.0,
        base_m: 0.0,
        surfaces: Default::default(),
        surface: None,
        floor: None,
    }
}

/// What does not move: brushes and patches of the world, and draw faces that no brush explains.
pub(super) fn world(bsp: &Bsp, cutter: &mut Cutter<'_>, sheet: &mut Sheet) -> Result<(), Problem> {
    let Some(world) = bsp.models.first() else {
        return Err(Problem::Wrong("the level has no model: expected at least the world"));
    };
    cutter.emit(world.brushes.range(), true, [0.0; 3], sheet)?;
    patches(bsp, world, [0.0; 3], sheet)?;
    for face in &bsp.faces[world.faces.range()] {
        let texture = &bsp.textures[face.texture as usize];
        let is_candidate = match face.kind {
            FaceKind::Mesh => class::is_opaque(texture),
            FaceKind::Polygon => class::of_body(texture).is_none() && class::is_opaque(texture),
            FaceKind::Patch(_) | FaceKind::Other => false,
        };
        if !is_candidate {
            continue;
        }
        for corners in flat_triangles(bsp, face) {
            let middle = (corners[0] + corners[1] + corners[2]).as_dvec3() / 3.0;
            if !cutter.is_skin(middle) {
                sheet.triangle(corners, Class::DRAWN.0)?;
            }
        }
    }
    Ok(())
}

/// The curved patches of a model, moved by `shift`.
pub(super) fn patches(bsp: &Bsp, model: &Model, shift: [f32; 3], sheet: &mut Sheet) -> Result<(), Problem> {
    for face in &bsp.faces[model.faces.range()] {
        let Some(class) = patch_class(&bsp.textures[face.texture as usize]) else { continue };
        for corners in patch::triangles(bsp, face) {
            sheet.triangle(corners.map(|corner| corner + Vec3::from(shift)), class.0)?;
        }
    }
    Ok(())
}

/// What a patch is: as a brush of its shader; without a body it may still end looks.
fn patch_class(texture: &Texture) -> Option<Class> {
    let body = class::of_body(texture).map(|body| class::of_side(body, texture));
    body.or_else(|| class::is_opaque(texture).then_some(Class::DRAWN))
}

/// The triangles of a polygon or mesh, turned to where their normals point.
fn flat_triangles<'a>(bsp: &'a Bsp, face: &'a Face) -> impl Iterator<Item = [Vec3; 3]> + use<'a> {
    let vertices = &bsp.vertices[face.vertices.range()];
    let corner = |number: u32| {
        let vertex = &vertices[number as usize];
        (Vec3::from(vertex.position), Vec3::from(vertex.normal))
    };
    let numbers = bsp.mesh_vertices[face.mesh_vertices.range()].chunks_exact(3);
    numbers.filter_map(move |three| patch::facing([corner(three[0]), corner(three[1]), corner(three[2])]))
}

/// All draw faces, with the shaders as materials.
pub(super) fn drawn(bsp: &Bsp) -> Result<MeshSpec, Problem> {
    let mut sheet = Sheet::default();
    sheet.mesh.material_names = bsp.textures.iter().map(|texture| texture.name.clone()).collect();
    let limit = u64::from(u16::MAX);
    if bsp.textures.len() as u64 > limit {
        return Err(Problem::TooMany { what: "textures", count: bsp.textures.len() as u64, limit });
    }
    for face in bsp.faces.iter().filter(|face| face.kind != FaceKind::Other) {
        let material = face.texture as u16;
        for corners in patch::triangles(bsp, face) {
            sheet.triangle(corners, material)?;
        }
        for corners in flat_triangles(bsp, face) {
            sheet.triangle(corners, material)?;
        }
    }
    Ok(sheet.mesh)
}
