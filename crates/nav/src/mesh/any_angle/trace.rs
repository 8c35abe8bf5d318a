//! From the end of a search back to its beginning: the path.

use sentir_core::glam::{DVec2, Vec3};

use super::super::link::LinkId;
use super::super::patch::ground;
use super::super::table::{Mesh, MeshPoint};
use super::super::tile::NONE;
use super::{AnyAngleSearch, LEFT_END, RIGHT_END, ROOT};

impl AnyAngleSearch {
    /// Writes down the way to a root and from there to the goal.
    pub(super) fn trace(&mut self, root: u32, goal: Vec3) {
        let mut at = root;
        self.path.push(goal);
        while at != NONE {
            let root = self.roots[at as usize];
            let point = Vec3::new(root.at.x as f32, root.height, -root.at.y as f32);
            if root.link != NONE {
                self.hops.push((self.path.len() as u32, LinkId(root.link)));
            }
            self.path.push(point);
            at = root.parent;
        }
        self.path.reverse();
        self.hops.reverse();
        let count = self.path.len() as u32;
        for hop in &mut self.hops {
            // Counted from the far end: the point after the link's far end there is the near end here.
            hop.0 = count - 2 - hop.0;
        }
        if let [.., before, last] = self.path.as_slice()
            && before == last
        {
            self.path.pop();
        }
    }

    /// Writes down the way toward the most promising open node; its length.
    pub(super) fn trace_promising(&mut self, mesh: &Mesh, from: MeshPoint, goal: MeshPoint) -> f64 {
        let Some((_, number)) = self.open.first() else {
            self.path.push(from.point);
            return 0.0;
        };
        let cone = self.cones[number as usize];
        let root = self.roots[(cone.root & ROOT) as usize];
        let (left, right) = (mesh.edges[cone.edge as usize].at(), mesh.next(cone.edge));
        let right = mesh.edges[right as usize].at();
        let along = left - right;
        let cut = |rim: DVec2, end: DVec2, is_end: bool| {
            let spread = rim.perp_dot(along);
            if is_end || spread == 0.0 { end } else { root.at + rim * ((right - root.at).perp_dot(along) / spread) }
        };
        let right = cut(cone.right, right, cone.root & RIGHT_END != 0);
        let left = cut(cone.left, left, cone.root & LEFT_END != 0);
        let share = (ground(goal.point) - right).dot(left - right) / (left - right).length_squared();
        let share = if share > 0.0 { if share < 1.0 { share } else { 1.0 } } else { 0.0 };
        let at = right + (left - right) * share;
        let polygon = mesh.owners[cone.edge as usize];
        let point = Vec3::new(at.x as f32, mesh.surface(polygon, at), -at.y as f32);
        self.trace(cone.root & ROOT, point);
        root.cost + (at - root.at).length()
    }
}
