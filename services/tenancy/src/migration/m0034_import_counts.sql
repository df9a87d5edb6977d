-- What an import came to, which is noted with its end: its progress is not, so that the entry of its end had no figures.
ALTER TABLE import
    ADD COLUMN added integer GENERATED ALWAYS AS (
        CASE WHEN state IN ('DONE', 'CANCELLED') AND started_by IS NOT NULL THEN imported_count END) STORED,
    ADD COLUMN left_out integer GENERATED ALWAYS AS (
        CASE WHEN state IN ('DONE', 'CANCELLED') AND started_by IS NOT NULL THEN line_count - imported_count END) STORED;
-- That old imports are deleted says only what they were.
CREATE OR REPLACE TRIGGER note_change AFTER INSERT OR DELETE ON import
    FOR EACH ROW EXECUTE FUNCTION note_change('{file_name,line_count,checked_count,bad_count,imported_count,failed_count,created_by,created_at,finished_at,started_by,lease_id,due_at,columns,date_order,added,left_out}');
