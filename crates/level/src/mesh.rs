//! Meshes: triangles by vertex number, with a material each.

/// Vertices of a mesh at most.
pub const VERTICES_MAX: usize = 2_000_000;
/// Triangles of a level at most.
pub const TRIANGLES_MAX: usize = 2_000_000;

/// A mesh as read from a file. Any winding will do.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshSpec {
    /// Vertices in space, m.
    pub vertices: Vec<[f32; 3]>,
    /// Triangles by vertex number.
    pub triangles: Vec<[u32; 3]>,
    /// Number of the material of each triangle; as many as triangles.
    pub materials: Vec<u16>,
    /// Names of the materials (or groups, where there are no materials). Triangles before any name have the first, empty one.
    pub material_names: Vec<String>,
}
