//! The innermost loop: a row of pixels against a plane. Pixels are independent, so compilers make vectors of it; written
//! with selects instead of branches for their sake.

/// Draws `id` over a row where it is nearer than what is there. 1/distance of the first pixel is `first`, and changes by
/// `step` a pixel. `depth` and `ids` are of one length.
#[inline]
pub(crate) fn row(depth: &mut [f32], ids: &mut [u32], first: f32, step: f32, id: u32) {
    // Counted in 32 bits: those become floats in vectors.
    for (column, (depth, seen)) in (0i32..).zip(depth.iter_mut().zip(ids)) {
        let here = first + step * column as f32;
        let is_nearer = here > *depth;
        *depth = if is_nearer { here } else { *depth };
        *seen = if is_nearer { id } else { *seen };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same, one pixel at a time, with a branch.
    fn twin(depth: &mut [f32], ids: &mut [u32], first: f32, step: f32, id: u32) {
        for column in 0..depth.len() {
            let here = first + step * column as f32;
            if here > depth[column] {
                depth[column] = here;
                ids[column] = id;
            }
        }
    }

    proptest! {
        #[test]
        fn rows_are_the_same_bits_as_one_pixel_at_a_time(
            depth in prop::collection::vec(0.0f32..2.0, 0..70),
            first in -1.0f32..3.0,
            step in -0.1f32..0.1,
        ) {
            let mut ids: Vec<u32> = (0..depth.len() as u32).collect();
            let (mut plain_depth, mut plain_ids, mut depth) = (depth.clone(), ids.clone(), depth);
            row(&mut depth, &mut ids, first, step, 77);
            twin(&mut plain_depth, &mut plain_ids, first, step, 77);
            prop_assert_eq!(ids, plain_ids);
            let bits = |list: &[f32]| list.iter().map(|one| one.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&depth), bits(&plain_depth));
        }
    }
}
