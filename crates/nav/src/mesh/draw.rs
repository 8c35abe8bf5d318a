//! The mesh as shapes: ground by kind of area, edges, portals and links.

use sentir_core::draw::{Color, DrawList, Layer, Shape};
use sentir_core::glam::Vec3;

use super::table::Mesh;

/// How high over the ground shapes lie, so that they are not hidden by it, m.
const LIFT_M: f32 = 0.03;

/// The color of an area: the first few are given, further ones repeat them darker.
pub fn area_color(area: u8) -> Color {
    const COLORS: [u32; 6] = [0x4aa3df, 0xe0a63a, 0x7f63b8, 0x4fb286, 0xd1605e, 0x8c8c8c];
    let Color { r, g, b, a } = Color::rgb(COLORS[usize::from(area) % COLORS.len()]);
    let darker = |part: u8| part >> (usize::from(area) / COLORS.len()).min(3);
    Color { r: darker(r), g: darker(g), b: darker(b), a }
}

/// Adds the polygons of a mesh (filled, faint), its walls (strong), the edges between polygons (thin) and its links
/// (arrows; closed ones faint), all on [`Layer::NAVMESH`].
pub fn draw(mesh: &Mesh, list: &mut DrawList) {
    draw_tinted(mesh, area_color, list);
}

/// The same with areas in colors of the caller's, as those of the terrain that they stand for.
pub fn draw_tinted(mesh: &Mesh, tint: impl Fn(u8) -> Color, list: &mut DrawList) {
    let up = Vec3::new(0.0, LIFT_M, 0.0);
    for polygon in 0..mesh.polygon_count() {
        let color = tint(mesh.area(polygon).0);
        list.polygon(Layer::NAVMESH, color.alpha(60), mesh.ring(polygon).map(|corner| corner + up));
        let ends = mesh.ring(polygon).zip(mesh.ring(polygon).cycle().skip(1));
        for ((from, to), neighbor) in ends.zip(mesh.neighbors(polygon)) {
            let (color, width_m) = match neighbor {
                None => (color, 0.06),
                // Seen from one side is enough.
                Some(other) if other > polygon => (color.alpha(120), 0.02),
                Some(_) => continue,
            };
            list.line(Layer::NAVMESH, color, from + up, to + up, width_m);
        }
    }
    for link in mesh.links() {
        let color = Color::rgb(0xffffff).alpha(if link.is_open { 230 } else { 70 });
        let (from, to, width_m) = (link.from + up, link.to + up, 0.05);
        list.add(Layer::NAVMESH, color, Shape::Arrow { from, to, width_m });
        if link.is_two_way {
            list.add(Layer::NAVMESH, color, Shape::Arrow { from: to, to: from, width_m });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::{AreaId, Link, Patch, Polygon, Traversal};

    #[test]
    fn two_triangles_and_a_link_are_eight_shapes() {
        let corners = vec![Vec3::ZERO, Vec3::X, Vec3::new(1.0, 0.0, -1.0), Vec3::NEG_Z];
        let triangle = |first, area| Polygon { first, count: 3, area: AreaId(area) };
        let patch = Patch { corners, loops: vec![0, 1, 2, 0, 2, 3], polygons: vec![triangle(0, 0), triangle(3, 1)] };
        let mut mesh = Mesh::from_patch(patch).unwrap();
        let traversal = Traversal::Jump;
        let link = Link { from: Vec3::ZERO, to: Vec3::X, traversal, is_two_way: false, cost_m: 1.0, is_open: true };
        mesh.add_link(link, Vec3::ONE).unwrap();
        let mut list = DrawList::default();
        draw(&mesh, &mut list);
        // Two surfaces, four walls, one edge between, one arrow.
        assert_eq!(list.items().len(), 8);
        assert!(list.items().iter().all(|item| item.layer == Layer::NAVMESH));
        assert_ne!(area_color(0), area_color(1));
        assert_ne!(area_color(0), area_color(6));
    }
}
