//! What changed between two texts, line by line.

/// Lines that are compared: a longer text is shown as replaced.
const MOST_LINES: usize = 1_000;
/// Lines around what changed.
const AROUND: usize = 3;

/// A line of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// It stayed.
    Same(String),
    /// It is gone.
    Removed(String),
    /// It is new.
    Added(String),
}

/// What changed, with a few lines around it.
#[must_use]
pub fn around(before: &str, after: &str) -> Vec<Line> {
    let lines = compare(before, after);
    let changed: Vec<usize> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| !matches!(line, Line::Same(_)))
        .map(|(at, _)| at)
        .collect();
    let is_near = |at: usize| changed.iter().any(|changed| changed.abs_diff(at) <= AROUND);
    lines.into_iter().enumerate().filter(|(at, _)| is_near(*at)).map(|(_, line)| line).collect()
}

/// Every line, by the longest common subsequence.
fn compare(before: &str, after: &str) -> Vec<Line> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    if old.len() > MOST_LINES || new.len() > MOST_LINES {
        let removed = old.iter().map(|line| Line::Removed((*line).to_owned()));
        return removed.chain(new.iter().map(|line| Line::Added((*line).to_owned()))).collect();
    }
    let common = lengths(&old, &new);
    let (mut lines, mut i, mut j) = (vec![], 0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push(Line::Same(old[i].to_owned()));
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || (i < old.len() && common[i + 1][j] >= common[i][j + 1]) {
            lines.push(Line::Removed(old[i].to_owned()));
            i += 1;
        } else {
            lines.push(Line::Added(new[j].to_owned()));
            j += 1;
        }
    }
    lines
}

/// How many lines what is left of both has in common.
fn lengths(old: &[&str], new: &[&str]) -> Vec<Vec<usize>> {
    let mut common = vec![vec![0; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] {
                common[i + 1][j + 1] + 1
            } else {
                common[i + 1][j].max(common[i][j + 1])
            };
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_changed_stands_among_a_few_lines_that_stayed() {
        let before = "a\nb\nc\nd\ne\nf\ng\nh";
        let after = "a\nb\nc\nd\ne\nX\ng\nh";
        let same = |text: &str| Line::Same(text.to_owned());
        assert_eq!(
            around(before, after),
            [
                same("c"),
                same("d"),
                same("e"),
                Line::Removed("f".to_owned()),
                Line::Added("X".to_owned()),
                same("g"),
                same("h"),
            ]
        );
        assert!(around(before, before).is_empty());
    }

    proptest! {
        #[test]
        fn both_texts_can_be_read_from_their_comparison(
            old in proptest::collection::vec("[abc]", 0..12), new in proptest::collection::vec("[abc]", 0..12),
        ) {
            let lines = compare(&old.join("\n"), &new.join("\n"));
            let side = |without: fn(&Line) -> bool| -> Vec<String> {
                let kept = lines.iter().filter(|line| !without(line));
                kept.map(|line| match line {
                    Line::Same(text) | Line::Removed(text) | Line::Added(text) => text.clone(),
                }).collect()
            };
            prop_assert_eq!(side(|line| matches!(line, Line::Added(_))), old);
            prop_assert_eq!(side(|line| matches!(line, Line::Removed(_))), new);
        }
    }
}
