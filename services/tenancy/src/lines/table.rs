//! Text as a table: headings, then lines of cells.

pub use proto::csv::is_formula;
use proto::csv::marked;

/// Columns without which a line says nothing: a table has one of them.
const NEEDED: [&str; 4] = ["name", "first_name", "service", "service_id"];

/// A column, by the headings that people give it: letters and digits alone, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// What it is called in exports and in what is said about it.
    pub name: &'static str,
    /// Other headings that mean it.
    pub also: &'static [&'static str],
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Its number in the file, from 1.
    pub number: u32,
    /// A cell for each column; empty where the table has none.
    pub cells: Vec<String>,
}

/// Why a text is no table of its kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// No line but headings.
    #[error("has no lines")]
    Empty,
    /// No heading means a required column.
    #[error("has no column “{0}”: the first line must be headings such as {1}")]
    NoHeadings(&'static str, String),
    /// Two headings mean one column.
    #[error("has the column “{0}” twice")]
    Doubled(&'static str),
    /// More lines than are taken.
    #[error("has more than {0} lines: split it")]
    TooLong(usize),
    /// The reader gave up.
    #[error("can't be read: {0}")]
    Unreadable(String),
}

/// Reads a table with headings. Columns of other names are left aside; `without_headings` says that the columns may
/// come in their order instead.
///
/// # Errors
/// [`TableFault`].
pub fn read(
    text: &str,
    columns: &[Column],
    without_headings: bool,
    most: usize,
) -> Result<Vec<Line>, TableFault> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut places: Option<Vec<Option<usize>>> = None;
    let mut numbers = LineNumbers { bytes: text.as_bytes(), seen: 0, number: 1 };
    let mut lines = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| TableFault::Unreadable(error.to_string()))?;
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if places.is_none() {
            let found = headings(&record, columns)?;
            let named = found.iter().any(Option::is_some);
            if named && is_required_found(&found, columns) {
                places = Some(found);
                continue;
            }
            if named || !without_headings {
                let names: Vec<_> = columns.iter().map(|column| column.name).collect();
                let needed = names.iter().copied().find(|name| NEEDED.contains(name)).unwrap_or("name");
                return Err(TableFault::NoHeadings(needed, names.join(", ")));
            }
            places = Some((0..columns.len()).map(Some).collect());
        }
        if lines.len() == most {
            return Err(TableFault::TooLong(most));
        }
        let number = numbers.of(record.position().map_or(0, csv::Position::byte));
        let cell = |place: &Option<usize>| place.and_then(|at| record.get(at)).unwrap_or_default().to_owned();
        let cells = places.iter().flatten().map(cell).collect();
        lines.push(Line { number, cells });
    }
    if lines.is_empty() { Err(TableFault::Empty) } else { Ok(lines) }
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

/// Where each column is; `None` where the table has none such.
fn headings(record: &csv::StringRecord, columns: &[Column]) -> Result<Vec<Option<usize>>, TableFault> {
    let headings: Vec<String> = record.iter().map(plain_heading).collect();
    columns
        .iter()
        .map(|column| {
            let own = plain_heading(column.name);
            let is_it = |heading: &String| *heading == own || column.also.contains(&heading.as_str());
            let mut found = headings.iter().enumerate().filter(|(_, heading)| is_it(heading));
            let first = found.next().map(|(at, _)| at);
            if found.next().is_some() { Err(TableFault::Doubled(column.name)) } else { Ok(first) }
        })
        .collect()
}

fn is_required_found(found: &[Option<usize>], columns: &[Column]) -> bool {
    columns.iter().zip(found).any(|(column, place)| NEEDED.contains(&column.name) && place.is_some())
}

fn plain_heading(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// What stands between the cells of the first line most often.
fn delimiter(text: &str) -> u8 {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
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
/// which [`read`]ers of the same columns take away again; see [`marked`].
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

/// The headings of columns, as a line.
#[must_use]
pub fn heading_line<const N: usize>(columns: &[Column]) -> [Cell; N] {
    core::array::from_fn(|at| {
        Cell::Number(columns.get(at).map(|column| column.name.to_owned()).unwrap_or_default())
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const COLUMNS: &[Column] =
        &[Column { name: "name", also: &["product"] }, Column { name: "low_stock", also: &["minimum"] }];

    fn cells(text: &str) -> Vec<Vec<String>> {
        read(text, COLUMNS, false, 9).unwrap().into_iter().map(|line| line.cells).collect()
    }

    #[test]
    fn columns_are_found_by_their_headings_whatever_stands_between_them() {
        for text in [
            "Product,Colour,Low stock\nSoap,red,3\n",
            "\u{feff}product;colour;LOW_STOCK\r\nSoap;red;3\r\n",
            "Minimum\tName\n3\tSoap",
            "\n\"name\",\"low stock\"\n\n\"Soap\",3\n,\n",
        ] {
            assert_eq!(cells(text), [["Soap", "3"]], "{text:?}");
        }
        assert_eq!(cells("name\nSoap"), [["Soap", ""]]);
    }

    #[test]
    fn a_line_has_its_number_in_the_file() {
        let lines = read("name\n\"Soap,\nmild\"\n\nShampoo\n", COLUMNS, false, 9).unwrap();
        let numbers: Vec<_> = lines.iter().map(|line| line.number).collect();
        assert_eq!(numbers, [2, 5]);
        assert_eq!(lines[0].cells[0], "Soap,\nmild");
    }

    #[test]
    fn what_is_no_table_is_refused_with_its_reason() {
        let fault = |text: &str| read(text, COLUMNS, false, 1).unwrap_err();
        assert_eq!(fault(""), TableFault::Empty);
        assert_eq!(fault("name\n"), TableFault::Empty);
        assert_eq!(fault("name,product\na,b"), TableFault::Doubled("name"));
        assert_eq!(fault("name\na\nb"), TableFault::TooLong(1));
        assert!(matches!(fault("Soap,3"), TableFault::NoHeadings(..)));
    }

    #[test]
    fn a_pasted_list_needs_no_headings_where_its_columns_are_in_order() {
        let lines = read("Soap\t3\nShampoo\t4", COLUMNS, true, 9).unwrap();
        assert_eq!(lines[1].cells, ["Shampoo", "4"]);
        // Headings without a name are headings all the same.
        assert!(matches!(read("low stock\n3", COLUMNS, true, 9), Err(TableFault::NoHeadings(..))));
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
            let headings = [heading_line::<2>(COLUMNS)];
            let lines = texts.iter().map(|text| [Cell::Text(text.clone()), Cell::Number(String::new())]);
            let written = write(headings.into_iter().chain(lines));
            let read: Vec<_> = read(&written, COLUMNS, false, 9).unwrap().into_iter().map(|line| line.cells[0].clone()).collect();
            let expected: Vec<_> = texts.iter().map(|text| marked(text)).collect();
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            drop(read(&text, COLUMNS, true, 9));
        }
    }
}
