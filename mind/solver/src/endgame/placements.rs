//! Lists of placements of the men. If placements are images of each other by symmetry, a list
//! contains only one of them. This module also has a function that applies a function to many items
//! in parallel.

use std::{collections::HashMap, thread};

use rules::chess::{Role, Square};

use super::{OwnMen, geometry::Symmetry};

/// The placements of the men of some endings. One placement represents all its images by symmetry.
#[derive(Clone, Debug)]
pub(super) struct Placements {
    all: Vec<OwnMen>,
    index: HashMap<OwnMen, usize>,
}

impl Placements {
    /// Lists the placements of these endings. Each ending is given by its one or two men besides
    /// the king.
    pub fn of(endings: &[&[Role]]) -> Placements {
        let mut all = Vec::new();
        let mut add = |king: Square, others: &[(Role, Square)]| {
            if let Some(men) = OwnMen::new(king, others)
                && represented(men).0 == men
            {
                all.push(men);
            }
        };
        for roles in endings {
            for king in Square::ALL {
                for one in Square::ALL {
                    match **roles {
                        [role] => add(king, &[(role, one)]),
                        [role, other] => {
                            for two in Square::ALL {
                                add(king, &[(role, one), (other, two)]);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        all.sort();
        all.dedup();
        let index = all.iter().enumerate().map(|(at, men)| (*men, at)).collect();
        Placements { all, index }
    }

    /// Returns the placements.
    pub fn all(&self) -> &[OwnMen] {
        &self.all
    }

    /// Returns the index of the placement that represents the men, and a symmetry. The symmetry
    /// turns the men into that placement.
    pub fn find(&self, men: OwnMen) -> Option<(usize, Symmetry)> {
        let (image, symmetry) = represented(men);
        Some((*self.index.get(&image)?, symmetry))
    }
}

/// Returns the number of different images of the men.
pub(super) fn images(men: OwnMen) -> usize {
    let mut images: Vec<OwnMen> = symmetries(men).iter().map(|s| men.image(*s)).collect();
    images.sort();
    images.dedup();
    images.len()
}

/// Returns the symmetries of the board that keep the rules for these men.
fn symmetries(men: OwnMen) -> &'static [Symmetry] {
    if men.others().iter().any(|(role, _)| *role == Role::Pawn) {
        &Symmetry::OF_PAWNS
    } else {
        &Symmetry::ALL
    }
}

/// Returns the image of the men that represents all images, and a symmetry. The symmetry turns the
/// men into this image.
pub(super) fn represented(men: OwnMen) -> (OwnMen, Symmetry) {
    symmetries(men)
        .iter()
        .map(|symmetry| (men.image(*symmetry), *symmetry))
        .min()
        .unwrap_or((men, Symmetry(0)))
}

/// Applies a function to every item, with several threads. The results are in the order of the
/// items.
pub(super) fn in_parallel<I: Sync, T: Send>(items: &[I], f: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism()
        .map_or(1, usize::from)
        .min(8);
    let f = &f;
    // Some items take much longer than others, but neighbouring items take about the same time. So
    // each of the n threads takes every n-th item, and all threads end at about the same time.
    let mut parts: Vec<std::vec::IntoIter<T>> = thread::scope(|scope| {
        let work = |first| {
            move || {
                items
                    .iter()
                    .skip(first)
                    .step_by(threads)
                    .map(f)
                    .collect::<Vec<T>>()
            }
        };
        let workers: Vec<_> = (0..threads).map(|first| scope.spawn(work(first))).collect();
        workers
            .into_iter()
            .map(|worker| match worker.join() {
                Ok(part) => part.into_iter(),
                Err(panic) => std::panic::resume_unwind(panic),
            })
            .collect()
    });
    (0..items.len())
        .filter_map(|at| parts[at % threads].next())
        .collect()
}
