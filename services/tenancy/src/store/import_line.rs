//! The text of imports, and their lines.

use std::collections::HashMap;

use database::named;
use sea_orm::FromQueryResult;
use uuid::Uuid;

use super::{Tx, import::stored};
use crate::{
    Error,
    domain::{ImportId, LineState},
    lines::table,
};

const PUT_PART: &str = "INSERT INTO import_part (business_id, import_id, part, text)
    VALUES (:business_id, :id, :part, :text)
    ON CONFLICT (business_id, import_id, part) DO UPDATE SET text = excluded.text";
const PARTS: &str = "SELECT text FROM import_part
    WHERE business_id = :business_id AND import_id = :id AND part < :count ORDER BY part";
const DROP_PARTS: &str = "DELETE FROM import_part WHERE business_id = :business_id AND import_id = :id";
const DROP_KEYS: &str = "DELETE FROM import_key WHERE business_id = :business_id AND import_id = :id";
const DROP_LINES: &str = "DELETE FROM import_line WHERE business_id = :business_id AND import_id = :id";
const ADD_LINES: &str = "INSERT INTO import_line (business_id, import_id, line, state, cells)
    SELECT :business_id, :id, line, 'UNCHECKED', cells::jsonb
    FROM unnest(:lines::integer[], :cells::text[]) AS added (line, cells)";
/// The next lines of a state.
pub const IMPORT_LINES: &str =
    "SELECT line, state, cells::text AS cells, field, fault, record_id, linked_to FROM import_line
    WHERE business_id = :business_id AND import_id = :id AND state = :state AND line > :after
    ORDER BY line LIMIT :limit";
const ALL_LINES: &str =
    "SELECT line, state, cells::text AS cells, field, fault, record_id, linked_to FROM import_line
    WHERE business_id = :business_id AND import_id = :id AND line > :after ORDER BY line LIMIT :limit";
const SAVE_LINES: &str = "UPDATE import_line AS l
    SET state = saved.state, field = NULLIF(saved.field, ''), fault = NULLIF(saved.fault, ''),
        record_id = COALESCE(NULLIF(saved.record_id, '00000000-0000-0000-0000-000000000000'::uuid), l.record_id)
    FROM unnest(:lines::integer[], :states::text[], :fields::text[], :faults::text[], :records::uuid[])
        AS saved (line, state, field, fault, record_id)
    WHERE l.business_id = :business_id AND l.import_id = :id AND l.line = saved.line";
const REPLACE_CELLS: &str = "UPDATE import_line SET cells = :cells::jsonb
    WHERE business_id = :business_id AND import_id = :id AND line = :line";
const LINK_LINES: &str = "UPDATE import_line AS l SET linked_to = NULLIF(linked.name, '')
    FROM unnest(:lines::integer[], :names::text[]) AS linked (line, name)
    WHERE l.business_id = :business_id AND l.import_id = :id AND l.line = linked.line";
/// Of a key that two lines have, the first one has it.
const KEEP_KEYS: &str = "INSERT INTO import_key (business_id, import_id, key, line)
    SELECT :business_id, :id, key, min(line) FROM unnest(:keys::text[], :lines::integer[]) AS kept (key, line)
    GROUP BY key ON CONFLICT DO NOTHING";
const KEYS: &str = "SELECT key, line FROM import_key
    WHERE business_id = :business_id AND import_id = :id AND key = ANY(:keys::text[])";

/// A line of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportLine {
    /// Its number in the file.
    pub number: i32,
    /// Where it stands.
    pub state: LineState,
    /// The text of each column.
    pub cells: Vec<String>,
    /// The column that is wrong, and why.
    pub fault: Option<(String, String)>,
    /// The record it became, or is becoming.
    pub record: Option<Uuid>,
    /// The member whose account the employee has or gets.
    pub linked_to: Option<String>,
}

/// What became of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineOutcome {
    /// Its number in the file.
    pub number: i32,
    /// Where it stands now.
    pub state: LineState,
    /// The column that is wrong, and why.
    pub fault: Option<(String, String)>,
    /// The record it became, or is becoming.
    pub record: Option<Uuid>,
}

#[derive(FromQueryResult)]
struct LineRow {
    line: i32,
    state: String,
    cells: String,
    field: Option<String>,
    fault: Option<String>,
    record_id: Option<Uuid>,
    linked_to: Option<String>,
}

impl TryFrom<LineRow> for ImportLine {
    type Error = Error;
    fn try_from(row: LineRow) -> Result<Self, Error> {
        let unknown = || stored(&row.state);
        Ok(Self {
            number: row.line,
            state: LineState::named(&row.state).ok_or_else(unknown)?,
            cells: serde_json::from_str(&row.cells)
                .map_err(|error| Error::Stored("line", Box::new(error)))?,
            fault: row.fault.map(|fault| (row.field.unwrap_or_default(), fault)),
            record: row.record_id,
            linked_to: row.linked_to,
        })
    }
}

#[derive(FromQueryResult)]
struct KeyRow {
    key: String,
    line: i32,
}

impl Tx {
    /// Keeps a part of its text.
    pub async fn put_import_part(&self, id: ImportId, part: i32, text: &str) -> Result<(), Error> {
        self.execute(PUT_PART, self.import_key(id).and(named! { part, text })).await.map(drop)
    }

    /// Its parts, those below `count`.
    pub async fn import_parts(&self, id: ImportId, count: i32) -> Result<Vec<String>, Error> {
        Ok(self.values(PARTS, self.import_key(id).and(named! { count })).await?)
    }

    /// Keeps its lines instead of its text.
    pub async fn replace_import_text(&self, id: ImportId, lines: &[table::Line]) -> Result<(), Error> {
        self.execute(DROP_PARTS, self.import_key(id)).await?;
        for some in lines.chunks(2_000) {
            let numbers: Vec<i32> = some.iter().map(|line| line.number.cast_signed()).collect();
            let cells = some.iter().map(|line| serde_json::to_string(&line.cells));
            let cells: Vec<String> =
                cells.collect::<Result<_, _>>().map_err(|error| Error::Stored("line", Box::new(error)))?;
            self.execute(ADD_LINES, self.import_key(id).and(named! { lines: numbers, cells })).await?;
        }
        Ok(())
    }

    /// Drops its text and its lines.
    pub async fn drop_import_table(&self, id: ImportId) -> Result<(), Error> {
        self.execute(DROP_PARTS, self.import_key(id)).await?;
        self.execute(DROP_LINES, self.import_key(id)).await.map(drop)
    }

    /// The next lines of an import, of one state if one is given.
    pub async fn import_lines(
        &self,
        id: ImportId,
        state: Option<LineState>,
        after: i32,
        limit: u32,
    ) -> Result<Vec<ImportLine>, Error> {
        let values = self.import_key(id).and(named! { after, limit: i64::from(limit) });
        match state {
            None => self.all::<LineRow, _>(ALL_LINES, values).await,
            Some(state) => {
                self.all::<LineRow, _>(IMPORT_LINES, values.and(named! { state: state.name() })).await
            }
        }
    }

    /// Saves what became of some lines.
    pub async fn save_import_lines(&self, id: ImportId, outcomes: &[LineOutcome]) -> Result<(), Error> {
        let fault = |outcome: &LineOutcome| outcome.fault.clone().unwrap_or_default();
        let values = self.import_key(id).and(named! {
            lines: outcomes.iter().map(|outcome| outcome.number).collect::<Vec<i32>>(),
            states: outcomes.iter().map(|outcome| outcome.state.name().to_owned()).collect::<Vec<String>>(),
            fields: outcomes.iter().map(|outcome| fault(outcome).0).collect::<Vec<String>>(),
            faults: outcomes.iter().map(|outcome| fault(outcome).1).collect::<Vec<String>>(),
            records: outcomes.iter().map(|outcome| outcome.record.unwrap_or_default()).collect::<Vec<Uuid>>(),
        });
        self.execute(SAVE_LINES, values).await.map(drop)
    }

    /// Saves with whose accounts the employees of some lines are linked; an empty name is no one's.
    pub async fn link_import_lines(&self, id: ImportId, links: &[(i32, String)]) -> Result<(), Error> {
        let (lines, names): (Vec<i32>, Vec<String>) = links.iter().cloned().unzip();
        self.execute(LINK_LINES, self.import_key(id).and(named! { lines, names })).await.map(drop)
    }

    /// Replaces the cells of a line.
    pub async fn replace_import_cells(&self, id: ImportId, line: i32, cells: &[String]) -> Result<(), Error> {
        let cells = serde_json::to_string(cells).map_err(|error| Error::Stored("line", Box::new(error)))?;
        self.execute(REPLACE_CELLS, self.import_key(id).and(named! { line, cells })).await.map(drop)
    }

    /// Keeps keys of lines, and says which line has each.
    pub async fn keep_import_keys(
        &self,
        id: ImportId,
        keys: &[(String, i32)],
    ) -> Result<HashMap<String, i32>, Error> {
        let (names, lines): (Vec<String>, Vec<i32>) = keys.iter().cloned().unzip();
        let kept = self.import_key(id).and(named! { keys: names.clone(), lines });
        self.execute(KEEP_KEYS, kept).await?;
        self.import_keys(id, names).await
    }

    /// Which line has each of these keys, where one does.
    pub async fn import_keys(&self, id: ImportId, names: Vec<String>) -> Result<HashMap<String, i32>, Error> {
        let rows = self.rows::<KeyRow>(KEYS, self.import_key(id).and(named! { keys: names })).await?;
        Ok(rows.into_iter().map(|row| (row.key, row.line)).collect())
    }

    /// Drops what its lines may not have in common: all are checked.
    pub async fn drop_import_keys(&self, id: ImportId) -> Result<(), Error> {
        self.execute(DROP_KEYS, self.import_key(id)).await.map(drop)
    }
}
