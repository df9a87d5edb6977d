//! A table whose columns are read as fields: by their headings, or as a person has them read.

use proto::error::FieldFault;

use super::{
    bare, date_part, fields,
    table::{Line, TableFault, cut},
};
use crate::domain::{DateFault, DateOrder, Dates, Field, Fields, ImportKind, MappedColumn, date};

/// How many different values of a column are shown.
const EXAMPLES: usize = 3;
/// How much of a value is shown.
const LONGEST_EXAMPLE: usize = 60;

/// What each column of a table is, as a person says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenMapping {
    /// The field of each column, of which `None` leaves it out; without any, as without a mapping.
    pub fields: Vec<Option<String>>,
    /// The first line is a record already.
    pub no_headings: bool,
}

/// A table, and what its columns are read as.
#[derive(Debug)]
pub struct TableReading {
    /// What a column may be.
    pub fields: &'static Fields,
    /// Its columns.
    pub columns: Vec<MappedColumn>,
    /// Its first line is a record already.
    pub no_headings: bool,
    /// In which order its dates are.
    pub dates: Dates,
    lines: Vec<Line>,
    /// How many columns a person named, if one did.
    named: Option<usize>,
    /// The part of a request that its faults are told of.
    part: &'static str,
}

/// Lines with a cell for each field, and how they are read.
#[derive(Debug, PartialEq, Eq)]
pub struct ReadTable {
    /// The columns of the table.
    pub columns: Vec<MappedColumn>,
    /// In which order its dates are, if that matters.
    pub date_order: Option<DateOrder>,
    /// Its lines.
    pub lines: Vec<Line>,
}

impl TableReading {
    /// Reads a table. Without a `mapping` columns are what their headings mean; a list of employees without any that is
    /// known has its columns in the order of the fields.
    ///
    /// # Errors
    /// [`TableFault`].
    pub fn of(text: &str, kind: ImportKind, mapping: Option<&ChosenMapping>) -> Result<Self, TableFault> {
        let (fields, most) = (fields(kind), kind.most_lines());
        let mut lines = cut(text, most + 1).map_err(|fault| match fault {
            TableFault::TooLong(_) => TableFault::TooLong(most),
            other => other,
        })?;
        let first = lines.first().ok_or(TableFault::Empty)?;
        let by_heading = fields.by_heading(&first.cells);
        let no_headings = mapping.map_or_else(
            || kind == ImportKind::Employees && by_heading.iter().all(|column| column.field.is_none()),
            |mapping| mapping.no_headings,
        );
        let mut columns = by_heading;
        if no_headings {
            let count = lines.iter().map(|line| line.cells.len()).max().unwrap_or_default();
            columns = if kind == ImportKind::Employees { fields.in_order(count) } else { unnamed(count) };
        } else {
            lines.remove(0);
        }
        if lines.is_empty() {
            return Err(TableFault::Empty);
        }
        if lines.len() > most {
            return Err(TableFault::TooLong(most));
        }
        let named = mapping.filter(|mapping| !mapping.fields.is_empty());
        if let Some(mapping) = named {
            for (at, column) in columns.iter_mut().enumerate() {
                column.field = mapping.fields.get(at).cloned().flatten();
            }
        }
        let dated: Vec<usize> = (0..columns.len())
            .filter(|at| columns.get(*at).is_some_and(|one| fields.is_dated(one)))
            .collect();
        let cells = lines.iter().flat_map(|line| dated.iter().filter_map(move |at| line.cells.get(*at)));
        let dates = Dates::of(cells.map(|cell| date_part(cell)));
        let named = named.map(|mapping| mapping.fields.len());
        let part = if mapping.is_some() { "mapping" } else { "text" };
        Ok(Self { fields, columns, no_headings, dates, lines, named, part })
    }

    /// What is wrong with what its columns are read as, each with the places of the columns that it is about.
    #[must_use]
    pub fn faults(&self) -> Vec<(Vec<usize>, String)> {
        let faults = self.fields.faults(&self.columns);
        let mut faults: Vec<_> = faults.iter().map(|fault| (fault.columns(), fault.to_string())).collect();
        if let Some(named) = self.named.filter(|named| *named != self.columns.len()) {
            faults.push((vec![], format!("has {} columns, and {named} were assigned", self.columns.len())));
        }
        if let Err(mixed @ DateFault::Mixed(..)) = self.dates.order(None) {
            faults.push((vec![], mixed.to_string()));
        }
        faults
    }

    /// The first different values of a column, cut to a length that can be shown.
    #[must_use]
    pub fn examples(&self, at: usize) -> Vec<String> {
        let mut examples: Vec<String> = vec![];
        for cell in self.lines.iter().filter_map(|line| line.cells.get(at)) {
            let cell: String = cell.trim().chars().take(LONGEST_EXAMPLE).collect();
            if !cell.is_empty() && !examples.contains(&cell) {
                examples.push(cell);
            }
            if examples.len() == EXAMPLES {
                break;
            }
        }
        examples
    }

    /// Whether no person is needed to say how it is read: each column that has a value is a field or a remark, and nothing
    /// is open.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.faults().is_empty()
            && self.dates.order(None).is_ok()
            && self
                .columns
                .iter()
                .enumerate()
                .all(|(at, one)| one.field.is_some() || one.is_remark() || self.examples(at).is_empty())
    }

    /// Its lines with a cell for each field, and those that stand behind the last column; a person may have `chosen` the order of its dates, which are written as in
    /// 2026-04-03 from here on.
    ///
    /// # Errors
    /// What is wrong with its columns, or with the order.
    pub fn lines(self, chosen: Option<DateOrder>) -> Result<ReadTable, Vec<FieldFault>> {
        let faults = self.faults();
        if !faults.is_empty() {
            return Err(faults.iter().map(|(_, fault)| FieldFault::new(self.part, fault)).collect());
        }
        let date_order = self.dates.order(chosen);
        let date_order =
            date_order.map_err(|fault| vec![FieldFault::new("date_order", &fault.to_string())])?;
        let fields = self.fields;
        let (places, columns) = (fields.places(&self.columns), self.columns.len());
        let lines = self.lines.into_iter().map(|Line { number, mut cells }| {
            let cell = |(field, place): (&Field, &Option<usize>)| {
                let cell = place.and_then(|at| cells.get_mut(at)).map(core::mem::take).unwrap_or_default();
                if fields.dated.contains(&field.name) { settled(cell, date_order) } else { cell }
            };
            let mut read: Vec<String> = fields.all.iter().zip(&places).map(cell).collect();
            // Behind the last column stands what shifted the others: the line is refused with it.
            let surplus = cells.drain(columns.min(cells.len())..);
            read.extend(surplus.filter(|cell| !cell.trim().is_empty()));
            Line { number, cells: read }
        });
        Ok(ReadTable { date_order, lines: lines.collect(), columns: self.columns })
    }
}

/// A cell whose date, if it begins with one, is written as in 2026-04-03, so that it can be read in one way only.
fn settled(cell: String, order: Option<DateOrder>) -> String {
    let part = date_part(&cell);
    match date(part, order) {
        Some(date) if !part.contains('-') => {
            let time = bare(&cell).get(part.len()..).unwrap_or_default().trim_start_matches(',');
            format!("{date}{time}")
        }
        _ => cell,
    }
}

/// So many columns of which nothing is known.
fn unnamed(count: usize) -> Vec<MappedColumn> {
    vec![MappedColumn { heading: String::new(), field: None }; count]
}

/// The cells of a table's first line, by its headings.
#[cfg(test)]
pub fn first_line(text: &str, kind: ImportKind) -> Vec<String> {
    let read = TableReading::of(text, kind, None).unwrap().lines(Some(DateOrder::DayFirst));
    read.unwrap().lines.swap_remove(0).cells
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str, kind: ImportKind) -> Result<Vec<Vec<String>>, Vec<FieldFault>> {
        let read = TableReading::of(text, kind, None).unwrap().lines(None)?;
        Ok(read.lines.into_iter().map(|line| line.cells).collect())
    }

    fn chosen(fields: &[&str], no_headings: bool) -> ChosenMapping {
        let field = |field: &&str| (!field.is_empty()).then(|| (*field).to_owned());
        ChosenMapping { fields: fields.iter().map(field).collect(), no_headings }
    }

    fn mapped(text: &str, mapping: &ChosenMapping) -> Result<ReadTable, Vec<FieldFault>> {
        TableReading::of(text, ImportKind::Customers, Some(mapping)).unwrap().lines(None)
    }

    #[test]
    fn columns_are_read_by_their_headings_and_others_are_left_out() {
        let employees = read("Colour,Mail,Staff\nred,ana@example.com,Ana\n", ImportKind::Employees);
        assert_eq!(employees.unwrap(), [["Ana", "ana@example.com", "", ""]]);
        assert_eq!(read("name\nSoap", ImportKind::Employees).unwrap(), [["Soap", "", "", ""]]);
    }

    #[test]
    fn a_pasted_list_needs_no_headings_where_its_columns_are_in_order() {
        let employees = read("Ana\tana@example.com\nBen\t\tMANAGER", ImportKind::Employees).unwrap();
        assert_eq!(employees, [["Ana", "ana@example.com", "", ""], ["Ben", "", "MANAGER", ""]]);
        // Headings without a name are headings all the same.
        let faults = read("mail\nana@example.com", ImportKind::Employees).unwrap_err();
        assert_eq!(faults, [FieldFault::new("text", "has no column for “name”")]);
    }

    #[test]
    fn a_table_without_lines_or_with_too_many_is_none() {
        let fault = |text: &str| TableReading::of(text, ImportKind::Employees, None).unwrap_err();
        assert_eq!(fault(""), TableFault::Empty);
        assert_eq!(fault("name\n"), TableFault::Empty);
        let most = format!("name\n{}", "Ana\n".repeat(500));
        assert!(TableReading::of(&most, ImportKind::Employees, None).is_ok(), "headings are no line");
        assert_eq!(fault(&format!("{most}Ben")), TableFault::TooLong(500));
        assert_eq!(fault(&"Ana\n".repeat(501)), TableFault::TooLong(500));
    }

    #[test]
    fn a_person_says_what_columns_are() {
        let text = "Kunde;Ort;Handy\nMia;Bonn;030 1\nTom;;030 2";
        let by_headings = TableReading::of(text, ImportKind::Customers, None).unwrap();
        assert!(!by_headings.is_settled());
        assert_eq!(
            (by_headings.examples(0), by_headings.examples(1)),
            (vec!["Mia".to_owned(), "Tom".to_owned()], vec!["Bonn".to_owned()])
        );
        let read = mapped(text, &chosen(&["name", "", "phone"], false)).unwrap();
        assert_eq!(read.lines[0].cells, ["Mia", "", "", "030 1", "", ""]);
        assert_eq!((read.lines[0].number, read.columns[1].field.as_ref()), (2, None));
        let without = mapped("Mia;030 1", &chosen(&["name", "phone"], true)).unwrap();
        assert_eq!(without.lines[0].cells, ["Mia", "", "", "030 1", "", ""]);
        let open =
            TableReading::of("Mia;030 1\nTom;;x", ImportKind::Customers, Some(&chosen(&[], true))).unwrap();
        assert_eq!(open.columns, unnamed(3), "nothing is guessed of a table without headings");
    }

    #[test]
    fn what_stands_behind_the_last_column_stays_with_its_line() {
        let text = "name,tags\nMia,VIP\nBerg, Tom,VIP\nAnn,,,\nZoe\n";
        let lines = read(text, ImportKind::Customers).unwrap();
        let surplus: Vec<_> = lines.iter().map(|cells| cells.get(6).map(String::as_str)).collect();
        assert_eq!(surplus, [None, Some("VIP"), None, None]);
        assert!(super::super::fits(fields(ImportKind::Customers), &lines[0]).is_ok());
        let fault = super::super::fits(fields(ImportKind::Customers), &lines[1]).unwrap_err();
        assert_eq!(
            (fault.field.as_str(), fault.description.as_str()),
            ("line", "has more cells than the table has columns: “VIP”")
        );
    }

    #[test]
    fn a_bad_mapping_is_refused_by_the_names_of_its_columns() {
        let text = "Kunde;Ort;Handy\nMia;Bonn;030 1";
        let faults = |fields: &[&str]| mapped(text, &chosen(fields, false)).unwrap_err();
        let doubled = "has “Kunde” and “Ort” both as “name”: leave one of them out";
        assert_eq!(faults(&["name", "name", ""]), [FieldFault::new("mapping", doubled)]);
        assert_eq!(faults(&["", "", "phone"])[0].description, "has no column for “name” or “first name”");
        assert_eq!(faults(&["name", "town", ""])[0].description, "has “Ort” as “town”, which is no field");
        assert_eq!(faults(&["name"])[0].description, "has 3 columns, and 1 were assigned");
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in any::<String>(), fields in prop::collection::vec("name|phone|", 0..4)) {
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            for mapping in [None, Some(chosen(&fields, false)), Some(chosen(&fields, true))] {
                let read = TableReading::of(&text, ImportKind::Customers, mapping.as_ref());
                drop(read.map(|read| read.lines(None)));
            }
        }
    }

    #[test]
    fn only_a_table_that_leaves_nothing_open_is_settled() {
        let settled =
            |text: &str| TableReading::of(text, ImportKind::Appointments, None).unwrap().is_settled();
        assert!(settled("date,start,service,\n13/04/2026,9:00,Cut,\n03/04/2026,9:00,Cut,\n"));
        assert!(!settled("date,start,service\n03/04/2026,9:00,Cut\n"), "day or month first");
        assert!(!settled("date,start,service,room\n13/04/2026,9:00,Cut,2\n"), "a column that means nothing");
        let remarked =
            "line_of_the_table,what_is_wrong,date,start,service\n7,start is none,13/04/2026,9:00,Cut\n";
        assert!(settled(remarked), "a corrected file of lines that were left out");
        assert!(!settled("date,service\n13/04/2026,Cut\n"), "no start");
        assert!(!settled("start,service\n13/04/2026 9:00,Cut\n04/13/2026 9:00,Cut\n"), "two orders");
    }

    #[test]
    fn the_order_of_dates_is_that_of_all_columns_that_begin_with_one() {
        let text =
            "start,end,service\n03/04/2026 9:00,03/04/2026 9:45,Cut\n03/04/2026 9:00,13/04/2026 9:45,Cut\n";
        let read = TableReading::of(text, ImportKind::Appointments, None).unwrap().lines(None).unwrap();
        assert_eq!(read.date_order, Some(DateOrder::DayFirst));
        let open = "start,service\n03/04/2026 9:00,Cut\n";
        let reading = |order| TableReading::of(open, ImportKind::Appointments, None).unwrap().lines(order);
        assert_eq!(reading(None).unwrap_err()[0].field, "date_order");
        assert_eq!(reading(Some(DateOrder::MonthFirst)).unwrap().date_order, Some(DateOrder::MonthFirst));
    }

    #[test]
    fn the_dates_of_its_lines_are_written_in_one_way() {
        let cells = |cell: &str| {
            let text = format!("start,service\n\"{cell}\",3/4/2026\n");
            let read = TableReading::of(&text, ImportKind::Appointments, None).unwrap();
            let mut read = read.lines(Some(DateOrder::DayFirst)).unwrap();
            let cells = read.lines.swap_remove(0).cells;
            cells.into_iter().filter(|cell| !cell.is_empty()).collect::<Vec<_>>()
        };
        for (cell, expected) in [
            ("03/04/2026 9:00", "2026-04-03 9:00"),
            (" 3.4.2026, 2:30 PM", "2026-04-03 2:30 PM"),
            ("5/5/2026", "2026-05-05"),
            ("2026-04-03T09:00+01:00", "2026-04-03T09:00+01:00"),
            ("9:00", "9:00"),
            ("31/02/2026 9:00", "31/02/2026 9:00"),
        ] {
            assert_eq!(cells(cell), [expected, "3/4/2026"], "{cell}: a service is no date");
        }
    }
}
