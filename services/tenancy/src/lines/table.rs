//! Text cut into lines of cells, and cells written as lines.

use std::io::Read;

pub use proto::csv::is_formula;
use proto::csv::marked;

use crate::domain::Fields;

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: u32,
    /// The text of each column.
    pub cells: Vec<String>,
}

/// Read behind each text: a line of its own, unless a cell is open still.
const END: &[u8] = b"\nend";
/// How many cells a line may have.
const MOST_CELLS_OF_LINE: usize = 1000;
/// How many cells a table may have: each takes memory, also an empty one.
const MOST_CELLS: usize = 2_000_000;

/// Why a text is no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// No line but headings.
    #[error("has no lines")]
    Empty,
    /// More lines than are taken.
    #[error("has more than {0} lines: split it")]
    TooLong(usize),
    /// A line, by its number, has more cells than are taken.
    #[error("has more than 1,000 cells in line {0}")]
    TooWide(u32),
    /// More cells than are taken.
    #[error("has more than 2,000,000 cells: split it")]
    TooManyCells,
    /// The quotation mark that opens a cell of a line, by its number, has no other: all that follows would be that cell.
    #[error("has a quotation mark in line {0} that is never closed")]
    Unclosed(u32),
    /// The reader gave up.
    #[error("can't be read: {0}")]
    Unreadable(String),
}

/// Cuts a text into lines and cells; empty lines are left aside.
///
/// # Errors
/// [`TableFault::TooLong`] for more than `most` lines, [`TableFault::TooWide`], [`TableFault::TooManyCells`],
/// [`TableFault::Unclosed`], [`TableFault::Unreadable`].
pub fn cut(text: &str, most: usize) -> Result<Vec<Line>, TableFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // The reader counts empty lines to the record behind them.
    let text = text.trim_end_matches(['\r', '\n']);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes().chain(END));
    let mut numbers = LineNumbers { bytes: text.as_bytes(), seen: 0, number: 1 };
    let mut lines = Vec::new();
    let mut cell_count = 0;
    let mut is_closed = false;
    for record in reader.records() {
        let record = record.map_err(|error| TableFault::Unreadable(error.to_string()))?;
        let begins_at = record.position().map_or(0, csv::Position::byte);
        if usize::try_from(begins_at).is_ok_and(|byte| byte >= text.len()) {
            is_closed = true;
            break;
        }
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if lines.len() == most {
            return Err(TableFault::TooLong(most));
        }
        let number = numbers.of(begins_at);
        if record.len() > MOST_CELLS_OF_LINE {
            return Err(TableFault::TooWide(number));
        }
        cell_count += record.len();
        if cell_count > MOST_CELLS {
            return Err(TableFault::TooManyCells);
        }
        lines.push(Line { number, cells: record.iter().map(ToOwned::to_owned).collect() });
    }
    if !is_closed {
        return Err(TableFault::Unclosed(lines.last().map_or(1, |line| line.number)));
    }
    Ok(lines)
}

/// Counts the lines of a file: the reader leaves empty ones aside.
struct LineNumbers<'a> {
    bytes: &'a [u8],
    seen: usize,
    number: u32,
}

impl LineNumbers<'_> {
    /// The number of the line in which a record begins, at `byte` or after the empty lines there. Records come in order.
    fn of(&mut self, byte: u64) -> u32 {
        let byte = usize::try_from(byte).unwrap_or(self.bytes.len());
        while let Some(here) = self.bytes.get(self.seen)
            && (self.seen < byte || matches!(here, b'\r' | b'\n'))
        {
            let ends = *here == b'\n' || (*here == b'\r' && self.bytes.get(self.seen + 1) != Some(&b'\n'));
            self.number += u32::from(ends);
            self.seen += 1;
        }
        self.number
    }
}

/// What stands between the cells of the first line most often.
fn delimiter(text: &str) -> u8 {
    let mut lines = text.split(['\r', '\n']);
    let first = lines.find(|line| !line.trim().is_empty()).unwrap_or_default();
    let mut quoted = false;
    let mut counts = [(b'\t', 0), (b';', 0), (b',', 0)];
    for byte in first.bytes() {
        quoted ^= byte == b'"';
        if !quoted && let Some((_, count)) = counts.iter_mut().find(|(delimiter, _)| *delimiter == byte) {
            *count += 1;
        }
    }
    counts.iter().max_by_key(|(_, count)| *count).map_or(b',', |(delimiter, _)| *delimiter)
}

/// Writes lines of cells in quotes. Cells of text that a spreadsheet would take for formulas begin with an apostrophe,
/// which readers of the same fields take away again; see [`marked`].
#[must_use]
pub fn write<const N: usize>(lines: impl IntoIterator<Item = [Cell; N]>) -> String {
    let mut writer = csv::WriterBuilder::new()
        .terminator(csv::Terminator::CRLF)
        .quote_style(csv::QuoteStyle::Always)
        .from_writer(Vec::new());
    for line in lines {
        // Memory takes all that is written.
        let written = writer.write_record(line.map(Cell::written));
        debug_assert!(written.is_ok(), "a line of a table is written");
    }
    let bytes = writer.into_inner().unwrap_or_default();
    String::from_utf8(bytes).unwrap_or_default()
}

/// What stands in a cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell {
    /// Text that people chose.
    Text(String),
    /// A number, which no spreadsheet takes for more.
    Number(String),
}

impl Cell {
    /// Text that may be absent.
    pub fn text(text: Option<&impl ToString>) -> Self {
        Self::Text(text.map(ToString::to_string).unwrap_or_default())
    }

    /// A number that may be absent.
    pub fn number(number: Option<impl ToString>) -> Self {
        Self::Number(number.map(|number| number.to_string()).unwrap_or_default())
    }

    fn written(self) -> String {
        match self {
            Self::Text(text) => marked(&text),
            Self::Number(text) => text,
        }
    }
}

/// The headings of fields, as a line.
#[must_use]
pub fn heading_line<const N: usize>(fields: &Fields) -> [Cell; N] {
    core::array::from_fn(|at| {
        Cell::Number(fields.all.get(at).map(|field| field.name.to_owned()).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cells(text: &str) -> Vec<Vec<String>> {
        cut(text, 9).unwrap().into_iter().map(|line| line.cells).collect()
    }

    #[test]
    fn cells_are_cut_whatever_stands_between_them() {
        for text in [
            "Product,Low stock\nSoap,3\n",
            "\u{feff}Product;Low stock\r\nSoap;3\r\n",
            "Product\tLow stock\nSoap\t3",
            "\n\"Product\",\"Low stock\"\n\n\"Soap\",3\n,\n",
        ] {
            assert_eq!(cells(text), [["Product", "Low stock"], ["Soap", "3"]], "{text:?}");
        }
    }

    #[test]
    fn a_line_has_its_number_in_the_file() {
        let lines = cut("name\n\"Soap,\nmild\"\n\nShampoo\n", 9).unwrap();
        let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [1, 2, 5]);
        assert_eq!(lines[1].cells[0], "Soap,\nmild");
    }

    #[test]
    fn a_quotation_mark_that_is_never_closed_swallows_no_line() {
        let open = "name,notes\nMia,fine\nTom,\"late\nBen,\nAnn,\n";
        assert_eq!(cut(open, 9), Err(TableFault::Unclosed(3)));
        for open in ["\"", "name\n\"", "name\nMia,\"\"\"", "\"name\nMia"] {
            assert!(matches!(cut(open, 9), Err(TableFault::Unclosed(_))), "{open:?}");
        }
        for closed in [
            "",
            "\n",
            "name\n\"Mia\"",
            "name\n\"Mi\"\"a\"\n\n",
            "name\n5\" tube",
            "end",
            "name\nend",
            "name\nMia\n\n\n",
            "name\r\rMia\r\r",
        ] {
            assert!(cut(closed, 9).is_ok(), "{closed:?}");
        }
    }

    #[test]
    fn lines_that_end_as_on_old_macs_have_the_separator_of_their_headings() {
        assert_eq!(
            cells("name;notes\rSoap;a, b, c\rWax;d, e"),
            [["name", "notes"], ["Soap", "a, b, c"], ["Wax", "d, e"]]
        );
    }

    #[test]
    fn a_text_of_too_many_lines_is_refused() {
        assert_eq!(cut("a\nb", 1), Err(TableFault::TooLong(1)));
        assert_eq!(cut("", 1), Ok(vec![]));
    }

    #[test]
    fn a_text_of_too_many_cells_is_refused() {
        let wide = |cells: usize| format!("name{}\n", ",".repeat(cells - 1));
        assert!(cut(&wide(1000), 9).is_ok());
        let fault = cut(&format!("name\n{}", wide(1001)), 9).unwrap_err();
        assert_eq!(fault.to_string(), "has more than 1,000 cells in line 2");
        let most = wide(1000).repeat(2000);
        assert!(cut(&most, 9000).is_ok());
        let fault = cut(&format!("{most}name\n"), 9000).unwrap_err();
        assert_eq!(fault.to_string(), "has more than 2,000,000 cells: split it");
    }

    #[test]
    fn no_cell_that_is_written_is_a_formula() {
        let written = |text: &str| write([[Cell::Text(text.to_owned()), Cell::Number("-3".to_owned())]]);
        assert_eq!(written("=1+1"), "\"'=1+1\",\"-3\"\r\n");
        assert_eq!(written("＝1"), "\"'＝1\",\"-3\"\r\n");
        assert_eq!(written("Max;=1+1"), "\"Max;'=1+1\",\"-3\"\r\n", "where `;` separates cells");
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_again(texts in prop::collection::vec("[^\u{0}]{1,12}", 1..5)) {
            prop_assume!(texts.iter().all(|text| !text.trim().is_empty()));
            let headings = [["name", "low_stock"].map(|name| Cell::Number(name.to_owned()))];
            let lines = texts.iter().map(|text| [Cell::Text(text.clone()), Cell::Number(String::new())]);
            let written = write(headings.into_iter().chain(lines));
            let read: Vec<_> = cells(&written).into_iter().skip(1).map(|cells| cells[0].clone()).collect();
            let expected: Vec<_> = texts.iter().map(|text| marked(text)).collect();
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            drop(cut(&text, 9));
        }
    }
}
