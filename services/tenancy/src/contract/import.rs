//! Imports as messages of the contract.

use proto::{frontdesk::tenancy::v1 as pb, time::to_proto};

use super::{shortened, text};
use crate::{
    domain::{
        DateOrder, Dates, Import, ImportKind, ImportState, LineState, MappedColumn, OpenDate, Progress,
    },
    lines::table_reading::TableReading,
    store::{ImportLine, import_finished_at},
};

impl From<&Import> for pb::Import {
    fn from(import: &Import) -> Self {
        let Progress { lines, checked, bad, imported, failed } = import.progress;
        let state = match import.state {
            ImportState::Receiving => pb::ImportState::Receiving,
            ImportState::Checking => pb::ImportState::Checking,
            ImportState::Checked => pb::ImportState::Checked,
            ImportState::Importing => pb::ImportState::Importing,
            ImportState::Done(_) => pb::ImportState::Done,
            ImportState::Cancelled(_) => pb::ImportState::Cancelled,
            ImportState::Expired(_) => pb::ImportState::Expired,
        };
        Self {
            id: import.id.to_string(),
            kind: pb::ImportKind::from(import.kind).into(),
            file_name: import.file_name.clone().unwrap_or_default(),
            state: state.into(),
            line_count: lines,
            checked_count: checked,
            bad_count: bad,
            imported_count: imported,
            failed_count: failed,
            created_by: import.by.clone(),
            created_at: Some(to_proto(import.at)),
            finished_at: import_finished_at(import).map(to_proto),
            waiting_for: import.waiting_for.clone().unwrap_or_default(),
        }
    }
}

impl From<&MappedColumn> for pb::ImportColumn {
    fn from(MappedColumn { heading, field }: &MappedColumn) -> Self {
        Self { heading: heading.clone(), field: field.clone().unwrap_or_default(), examples: vec![] }
    }
}

impl From<DateOrder> for pb::DateOrder {
    fn from(order: DateOrder) -> Self {
        match order {
            DateOrder::DayFirst => Self::DayFirst,
            DateOrder::MonthFirst => Self::MonthFirst,
        }
    }
}

impl From<&TableReading> for pb::PreviewImportResponse {
    fn from(reading: &TableReading) -> Self {
        let places =
            |columns: Vec<usize>| columns.into_iter().map(|at| i32::try_from(at).unwrap_or(i32::MAX));
        let (date_order, open_date) = match &reading.dates {
            Dates::In(order, _) => (pb::DateOrder::from(*order), None),
            Dates::Open(open) => (pb::DateOrder::Unspecified, Some(pb::OpenDate::from(open))),
            Dates::Alike | Dates::Mixed { .. } => (pb::DateOrder::Unspecified, None),
        };
        let faults = reading.faults().into_iter();
        let column = |(at, column): (usize, &MappedColumn)| pb::ImportColumn {
            examples: reading.examples(at),
            ..pb::ImportColumn::from(column)
        };
        Self {
            columns: reading.columns.iter().enumerate().map(column).collect(),
            no_headings: reading.no_headings,
            fields: reading.fields.all.iter().map(|field| field.name.to_owned()).collect(),
            faults: faults
                .map(|(columns, fault)| pb::ColumnFault { columns: places(columns).collect(), fault })
                .collect(),
            date_order: date_order.into(),
            open_date,
            settled: reading.is_settled(),
        }
    }
}

impl From<&OpenDate> for pb::OpenDate {
    fn from(OpenDate { text, day_first, month_first }: &OpenDate) -> Self {
        Self { text: text.clone(), day_first: day_first.to_string(), month_first: month_first.to_string() }
    }
}

impl From<ImportKind> for pb::ImportKind {
    fn from(kind: ImportKind) -> Self {
        match kind {
            ImportKind::Items => Self::Items,
            ImportKind::Customers => Self::Customers,
            ImportKind::Employees => Self::Employees,
            ImportKind::Appointments => Self::Appointments,
        }
    }
}

impl From<&ImportLine> for pb::ImportLine {
    fn from(line: &ImportLine) -> Self {
        let state = match line.state {
            LineState::Unchecked => pb::ImportLineState::Unchecked,
            LineState::Good => pb::ImportLineState::Good,
            LineState::Bad => pb::ImportLineState::Bad,
            LineState::Imported => pb::ImportLineState::Imported,
            LineState::Failed => pb::ImportLineState::Failed,
        };
        let (field, fault) = line.fault.clone().unwrap_or_default();
        Self {
            line: line.number,
            state: state.into(),
            cells: line.cells.iter().map(|cell| shortened(cell)).collect(),
            field,
            fault,
            record_id: text(line.record.as_ref()),
            linked_to: line.linked_to.clone().unwrap_or_default(),
        }
    }
}
