//! What changed from one frame to the next: the least rectangle around it, where unchanged pixels are left clear.
//!
//! Clear pixels cost next to nothing once compressed, so a few bodies that move all over the picture stay cheap.

/// The changed part of a frame.
#[derive(Debug, Default)]
pub(crate) struct Patch {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
    /// Four bytes a pixel: opaque where it changed, all zero where not.
    pub rgba: Vec<u8>,
}

impl Patch {
    /// Sets the patch to what changed from `before` (nothing: all of it) to `after`, both `width` px wide and full.
    /// When nothing changed it is one clear pixel, for a frame cannot be empty.
    pub fn set(&mut self, before: Option<&[u8]>, after: &[u8], width: u32) {
        let stride = width as usize * 4;
        let height = (after.len() / stride) as u32;
        let rect = match before {
            Some(before) => {
                changed_rect(before, after, stride).unwrap_or(Rect { left: 0, top: 0, width: 1, height: 1 })
            }
            None => Rect { left: 0, top: 0, width, height },
        };
        (self.left, self.top, self.width, self.height) = (rect.left, rect.top, rect.width, rect.height);
        self.rgba.clear();
        for row in self.top..self.top + self.height {
            let from = row as usize * stride + self.left as usize * 4;
            let span = from..from + self.width as usize * 4;
            let new = &after[span.clone()];
            match before {
                None => self.rgba.extend(new.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2], 255])),
                Some(before) => {
                    let pairs = before[span].chunks_exact(4).zip(new.chunks_exact(4));
                    self.rgba.extend(pairs.flat_map(|(old, new)| {
                        if old[..3] == new[..3] { [0; 4] } else { [new[0], new[1], new[2], 255] }
                    }));
                }
            }
        }
    }
}

/// A part of a picture, pixels.
struct Rect {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

/// The least rectangle that holds every changed pixel.
fn changed_rect(before: &[u8], after: &[u8], stride: usize) -> Option<Rect> {
    let rows = || before.chunks_exact(stride).zip(after.chunks_exact(stride));
    let is_changed = |(old, new): (&[u8], &[u8])| old != new;
    let top = rows().position(is_changed)?;
    let bottom = rows().rposition(is_changed)?;
    let (mut left, mut right) = (stride / 4, 0);
    for (old, new) in rows().skip(top).take(bottom - top + 1) {
        let mut pixels = old.chunks_exact(4).zip(new.chunks_exact(4));
        if let Some(first) = pixels.clone().position(|(old, new)| old != new) {
            left = left.min(first);
            right = right.max(pixels.rposition(|(old, new)| old != new).unwrap_or(first));
        }
    }
    let (width, height) = ((right - left + 1) as u32, (bottom - top + 1) as u32);
    Some(Rect { left: left as u32, top: top as u32, width, height })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_what_changed_is_kept() {
        let before = [9u8; 4 * 5 * 4];
        let mut after = before;
        after[(5 + 2) * 4] = 1;
        after[(2 * 5 + 3) * 4 + 1] = 2;
        let mut patch = Patch::default();
        patch.set(Some(&before), &after, 5);
        assert_eq!((patch.left, patch.top, patch.width, patch.height), (2, 1, 2, 2));
        assert_eq!(patch.rgba, [1, 9, 9, 255, 0, 0, 0, 0, 0, 0, 0, 0, 9, 2, 9, 255]);
        patch.set(Some(&after), &after, 5);
        assert_eq!((patch.width, patch.height, &patch.rgba[..]), (1, 1, &[0u8; 4][..]));
    }

    proptest! {
        #[test]
        fn a_patch_laid_over_the_old_frame_gives_the_new(
            old in prop::collection::vec(0u8..2, 24),
            new in prop::collection::vec(0u8..2, 24),
        ) {
            let [old, new] = [old, new].map(|bits| -> Vec<u8> { bits.iter().flat_map(|&b| [b, 7, 7, 255]).collect() });
            let mut patch = Patch::default();
            patch.set(Some(&old), &new, 6);
            let mut laid = old.clone();
            for (index, pixel) in patch.rgba.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] == 255) {
                let (x, y) = (index as u32 % patch.width + patch.left, index as u32 / patch.width + patch.top);
                laid[(y * 6 + x) as usize * 4..][..4].copy_from_slice(pixel);
            }
            prop_assert_eq!(laid, new);
        }
    }
}
