//! Who changed which record from what to what: noted by the database itself, whatever statement changes it.
//!
//! A transaction says in settings who acts, by which method and when; a trigger on each table writes the entry.

use caller::Actor;
use jiff::Timestamp;

use crate::{roles::name, tenant_table};

/// Who acts in a transaction, by what and when.
#[derive(Debug, Clone)]
pub(crate) struct Acting {
    /// As the entries name them.
    pub actor: String,
    /// The time at which all of it takes place.
    pub at: Timestamp,
}

impl Acting {
    pub(crate) fn new(actor: &Actor, at: Timestamp) -> Self {
        Self { actor: actor.to_string(), at }
    }

    /// What tells the triggers, in the round trip that begins the transaction.
    pub(crate) fn settings(&self) -> String {
        let method = boot::grpc::current_method();
        let action = method.as_deref().and_then(|path| path.rsplit('/').next()).unwrap_or("worker");
        let [actor, action] = [self.actor.as_str(), action].map(|text| text.replace('\'', "''"));
        let at = self.at;
        format!(
            "SET LOCAL app.actor = '{actor}'; SET LOCAL app.action = '{action}'; SET LOCAL app.at = '{at}'"
        )
    }
}

/// Creates the table `change_entry` of a service and the function that fills it. Entries are never changed; the
/// installation role alone deletes them, when they are old.
#[must_use]
pub fn change_log_sql(service: &str) -> String {
    let table = tenant_table(service, "change_entry");
    let [app, installation] = ["app", "installation"].map(|part| name(service, part));
    format!(
        "CREATE TABLE change_entry (
            business_id uuid NOT NULL,
            id uuid NOT NULL,
            at timestamptz NOT NULL,
            actor text NOT NULL,
            action text NOT NULL,
            record_kind text NOT NULL,
            record_id uuid,
            before jsonb,
            after jsonb,
            refusal text,
            PRIMARY KEY (business_id, id)
        );
        CREATE INDEX change_entry_latest ON change_entry (business_id, at, id);
        CREATE INDEX change_entry_of ON change_entry (business_id, record_id, at, id);
        CREATE INDEX change_entry_age ON change_entry (at);
        {NOTING}
        {table}
        REVOKE UPDATE, DELETE ON change_entry FROM \"{app}\";
        REVOKE UPDATE ON change_entry FROM \"{installation}\";
        "
    )
}

/// The functions that note changes. What is taken over from elsewhere was changed there, and is not noted.
///
/// `note_change` notes a row; its arguments are the columns that say nothing of the record, the column that names the
/// record, what kind it is, and a column whose fields stand for it. `note_removed` and `note_set` note the rows of a record that are replaced all at once,
/// as one change: the first keeps what was removed until the second knows what there is instead.
const NOTING: &str = "CREATE OR REPLACE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            aside CONSTANT text[] := TG_ARGV[0]::text[];
            was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) - aside ELSE '{}' END;
            becomes jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) - aside ELSE '{}' END;
            spread CONSTANT text := TG_ARGV[3];
            whole CONSTANT jsonb := was || becomes;
            before jsonb;
            after jsonb;
        BEGIN
            IF current_setting('app.taken_over', true) = 'yes' THEN
                RETURN NULL;
            END IF;
            IF spread IS NOT NULL THEN
                was := (was - spread) || COALESCE(was -> spread, '{}');
                becomes := (becomes - spread) || COALESCE(becomes -> spread, '{}');
            END IF;
            SELECT jsonb_object_agg(key, value) INTO before FROM jsonb_each(was)
                WHERE value IS DISTINCT FROM COALESCE(becomes -> key, 'null');
            SELECT jsonb_object_agg(key, value) INTO after FROM jsonb_each(becomes)
                WHERE value IS DISTINCT FROM COALESCE(was -> key, 'null');
            IF before IS NULL AND after IS NULL THEN
                RETURN NULL;
            END IF;
            INSERT INTO public.change_entry
                (business_id, id, at, actor, action, record_kind, record_id, before, after)
            VALUES (
                (whole ->> 'business_id')::uuid, gen_random_uuid(),
                -- Statements that no service makes say nothing of themselves.
                COALESCE(NULLIF(current_setting('app.at', true), '')::timestamptz, clock_timestamp()),
                COALESCE(NULLIF(current_setting('app.actor', true), ''), 'database'),
                COALESCE(current_setting('app.action', true), ''),
                COALESCE(TG_ARGV[2], TG_TABLE_NAME),
                COALESCE(whole ->> TG_ARGV[1], whole ->> 'id', whole ->> 'business_id')::uuid, before, after);
            RETURN NULL;
        END
        $$;
        CREATE OR REPLACE FUNCTION note_removed() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            named_by CONSTANT text := TG_ARGV[0];
            held jsonb;
        BEGIN
            SELECT jsonb_build_object('record', min(r.line ->> named_by), 'business', min(r.line ->> 'business_id'),
                    'lines', jsonb_agg(r.line - ARRAY['business_id', named_by] ORDER BY r.line))
                INTO held FROM (SELECT to_jsonb(gone) AS line FROM gone) r;
            PERFORM set_config('app.removed_' || TG_TABLE_NAME, held::text, true);
            RETURN NULL;
        END
        $$;
        CREATE OR REPLACE FUNCTION note_set() RETURNS trigger LANGUAGE plpgsql
        SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            named_by CONSTANT text := TG_ARGV[0];
            held jsonb := NULLIF(current_setting('app.removed_' || TG_TABLE_NAME, true), '')::jsonb;
            business uuid;
            whose uuid;
            becomes jsonb;
        BEGIN
            PERFORM set_config('app.removed_' || TG_TABLE_NAME, '', true);
            SELECT jsonb_agg(r.line - ARRAY['business_id', named_by] ORDER BY r.line), min(r.line ->> named_by)::uuid,
                    min(r.line ->> 'business_id')::uuid
                INTO becomes, whose, business FROM (SELECT to_jsonb(new_line) AS line FROM new_line) r;
            IF whose <> (held ->> 'record')::uuid THEN
                held := NULL;
            END IF;
            whose := COALESCE(whose, (held ->> 'record')::uuid);
            business := COALESCE(business, (held ->> 'business')::uuid);
            IF business IS NULL OR becomes IS NOT DISTINCT FROM NULLIF(held -> 'lines', 'null')
                OR current_setting('app.taken_over', true) = 'yes' THEN
                RETURN NULL;
            END IF;
            INSERT INTO public.change_entry
                (business_id, id, at, actor, action, record_kind, record_id, before, after)
            VALUES (
                business, gen_random_uuid(),
                COALESCE(NULLIF(current_setting('app.at', true), '')::timestamptz, clock_timestamp()),
                COALESCE(NULLIF(current_setting('app.actor', true), ''), 'database'),
                COALESCE(current_setting('app.action', true), ''), TG_ARGV[1], whose,
                jsonb_build_object(TG_TABLE_NAME, held -> 'lines'), jsonb_build_object(TG_TABLE_NAME, becomes));
            RETURN NULL;
        END
        $$;";

/// Brings the functions that note changes to those of today, in a service that had others.
#[must_use]
pub fn renewed_noting_sql() -> &'static str {
    NOTING
}

/// What rows of a table are part of: the column that names the record, and what kind it is.
#[derive(Debug, Clone, Copy)]
pub struct PartOf {
    /// The column.
    pub record: &'static str,
    /// The kind.
    pub kind: &'static str,
}

/// As [`noted_table`], for rows that are parts of another record.
#[must_use]
pub fn noted_part(table: &str, part: PartOf, aside: &[&str]) -> String {
    let (PartOf { record, kind }, aside) = (part, aside.join(","));
    format!(
        "CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON \"{table}\"
            FOR EACH ROW EXECUTE FUNCTION note_change('{{{aside}}}', '{record}', '{kind}');\n"
    )
}

/// As [`noted_table`], for a table with a column of many fields: what changed of each is noted.
#[must_use]
pub fn noted_fields(table: &str, column: &str, aside: &[&str]) -> String {
    let aside = aside.join(",");
    format!(
        "CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON \"{table}\"
            FOR EACH ROW EXECUTE FUNCTION note_change('{{{aside}}}', 'business_id', '{table}', '{column}');\n"
    )
}

/// Has the rows of a record that are replaced all at once noted, as one change.
#[must_use]
pub fn noted_set(table: &str, part: PartOf) -> String {
    let PartOf { record, kind } = part;
    format!(
        "CREATE TRIGGER note_removed AFTER DELETE ON \"{table}\" REFERENCING OLD TABLE AS gone
            FOR EACH STATEMENT EXECUTE FUNCTION note_removed('{record}');
        CREATE TRIGGER note_set AFTER INSERT ON \"{table}\" REFERENCING NEW TABLE AS new_line
            FOR EACH STATEMENT EXECUTE FUNCTION note_set('{record}', '{kind}');\n"
    )
}

/// Has each change of a table noted, but for the columns `aside`: generated ones, counters and secrets.
#[must_use]
pub fn noted_table(table: &str, aside: &[&str]) -> String {
    let aside = aside.join(",");
    format!(
        "CREATE TRIGGER note_change AFTER INSERT OR UPDATE OR DELETE ON \"{table}\"
            FOR EACH ROW EXECUTE FUNCTION note_change('{{{aside}}}');\n"
    )
}
