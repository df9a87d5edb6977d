//! Who changed which record from what to what: noted by the database itself, whatever statement changes it.
//!
//! A transaction says in settings who acts, by which method and when; a trigger on each table writes the entry.

use caller::Actor;
use jiff::Timestamp;

use crate::tenant_table;

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
        CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
        DECLARE
            -- Columns that say nothing of the record, named where the trigger is made.
            aside CONSTANT text[] := TG_ARGV[0]::text[];
            was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) - aside ELSE '{{}}' END;
            becomes jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) - aside ELSE '{{}}' END;
            whole CONSTANT jsonb := was || becomes;
            before jsonb;
            after jsonb;
        BEGIN
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
                TG_TABLE_NAME, COALESCE(whole ->> 'id', whole ->> 'business_id')::uuid, before, after);
            RETURN NULL;
        END
        $$;
        {table}
        REVOKE UPDATE, DELETE ON change_entry FROM {service}_app;
        REVOKE UPDATE ON change_entry FROM {service}_installation;
        "
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
