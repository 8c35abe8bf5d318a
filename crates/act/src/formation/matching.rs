//! The assignment problem: to each row a column of its own, so that the sum of the weights is the least.
//!
//! **Method.** Rows join one after another. Each takes the cheapest way to a free column on which earlier rows may have to
//! take another one (shortest augmenting paths with a price for each row and column: the Hungarian method as Jonker and
//! Volgenant have it, 1987). Weights are whole numbers, so the sum is exactly the least. Of columns that are equally near,
//! the first is taken: the same weights give the same columns.
//!
//! **Cost** O(rows² · columns).

/// Weights by row and column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Weights {
    columns: usize,
    /// Row after row.
    cells: Vec<i128>,
}

impl Weights {
    /// The weights that `of` gives for a row and a column. Limit: no more rows than columns, and sums of a weight a row that
    /// fit twice.
    pub(super) fn from_fn(rows: usize, columns: usize, of: impl Fn(usize, usize) -> i128) -> Weights {
        debug_assert!(rows <= columns);
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Weights { columns, cells: cells.map(|(row, column)| of(row, column)).collect() }
    }

    /// The weight of a pair.
    pub(super) fn at(&self, row: usize, column: usize) -> i128 {
        self.cells[row * self.columns + column]
    }

    fn rows(&self) -> usize {
        self.cells.len() / self.columns.max(1)
    }
}

/// The column of each row in an assignment of the least sum.
pub(super) fn least(weights: &Weights) -> Vec<usize> {
    let mut matching = Matching {
        weights,
        row_price: vec![0; weights.rows()],
        column_price: vec![0; weights.columns],
        owner: vec![None; weights.columns],
    };
    let mut search = Search::default();
    for row in 0..weights.rows() {
        matching.add(row, &mut search);
    }
    let mut chosen = vec![0; weights.rows()];
    for (column, row) in matching.owner.iter().enumerate() {
        if let Some(row) = row {
            chosen[*row] = column;
        }
    }
    chosen
}

/// The rows that have joined. No weight is less than the prices of its row and column together, and that of a pair that is
/// taken is as much: so no other assignment of these rows is cheaper.
struct Matching<'a> {
    weights: &'a Weights,
    row_price: Vec<i128>,
    column_price: Vec<i128>,
    /// Which row has a column.
    owner: Vec<Option<usize>>,
}

/// The cheapest ways from a row to all columns.
#[derive(Default)]
struct Search {
    /// What the way costs beyond the prices; of those that are not settled, so far.
    distance: Vec<i128>,
    /// The column before on the way; none where it comes straight from the row.
    before: Vec<Option<usize>>,
    is_settled: Vec<bool>,
}

impl Matching<'_> {
    fn add(&mut self, row: usize, search: &mut Search) {
        let columns = self.weights.columns;
        search.distance.clear();
        search.distance.resize(columns, i128::MAX);
        search.before.clear();
        search.before.resize(columns, None);
        search.is_settled.clear();
        search.is_settled.resize(columns, false);
        let (mut from, mut last) = (row, None);
        while let Some((column, gap)) = self.nearest(from, last, search) {
            self.raise(row, gap, search);
            search.is_settled[column] = true;
            last = Some(column);
            let Some(owner) = self.owner[column] else { break };
            from = owner;
        }
        // Everybody on the way moves up by one column.
        while let Some(column) = last {
            last = search.before[column];
            self.owner[column] = last.map_or(Some(row), |before| self.owner[before]);
        }
    }

    /// Goes on from a row, reached by the column `last`, and gives the nearest column that is not settled.
    fn nearest(&self, from: usize, last: Option<usize>, search: &mut Search) -> Option<(usize, i128)> {
        let mut nearest: Option<(usize, i128)> = None;
        for column in (0..self.weights.columns).filter(|&column| !search.is_settled[column]) {
            let distance = self.weights.at(from, column) - self.row_price[from] - self.column_price[column];
            if distance < search.distance[column] {
                (search.distance[column], search.before[column]) = (distance, last);
            }
            let distance = search.distance[column];
            if nearest.is_none_or(|(_, least)| distance < least) {
                nearest = Some((column, distance));
            }
        }
        nearest
    }

    /// Moves the prices of all that is reached by the gap to the nearest column, which then costs nothing more.
    fn raise(&mut self, row: usize, gap: i128, search: &mut Search) {
        self.row_price[row] += gap;
        for column in 0..self.weights.columns {
            if search.is_settled[column] {
                self.column_price[column] -= gap;
                if let Some(owner) = self.owner[column] {
                    self.row_price[owner] += gap;
                }
            } else {
                search.distance[column] -= gap;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pathfinding::prelude::{Matrix, kuhn_munkres_min};
    use proptest::prelude::*;

    fn sum(weights: &Weights, chosen: &[usize]) -> i128 {
        chosen.iter().enumerate().map(|(row, &column)| weights.at(row, column)).sum()
    }

    proptest! {
        #[test]
        fn the_sum_is_the_least_and_no_column_is_taken_twice(
            (rows, more) in (0usize..9, 0usize..6),
            spread in prop_oneof![Just(3i128), Just(50), Just(1 << 110)],
            cells in proptest::collection::vec(any::<u128>(), 9 * 15),
        ) {
            let columns = rows + more;
            // A narrow spread gives many equal sums.
            let of = |row: usize, column: usize| (cells[row * 15 + column] >> 1) as i128 % spread - spread / 3;
            let weights = Weights::from_fn(rows, columns, of);
            let chosen = least(&weights);
            prop_assert_eq!(chosen.len(), rows);
            let mut distinct = chosen.clone();
            distinct.sort_unstable();
            distinct.dedup();
            prop_assert!(distinct.len() == rows && distinct.last().is_none_or(|&last| last < columns));
            if rows > 0 {
                let oracle = Matrix::from_fn(rows, columns, |(row, column)| of(row, column));
                prop_assert_eq!(sum(&weights, &chosen), kuhn_munkres_min(&oracle).0);
            }
        }
    }

    #[test]
    fn of_equals_the_first_are_taken_in_order() {
        assert_eq!(least(&Weights::from_fn(3, 5, |_, _| 7)), [0, 1, 2]);
        assert_eq!(least(&Weights::from_fn(2, 3, |row, column| if column == 0 { 1 } else { 4 + row as i128 })), [1, 0]);
        assert_eq!(least(&Weights::from_fn(0, 4, |_, _| 0)), Vec::<usize>::new());
        assert_eq!(least(&Weights::from_fn(0, 0, |_, _| 0)), Vec::<usize>::new());
    }
}
