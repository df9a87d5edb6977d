-- What a person does with an import, and its end: begun, sent to be checked, started, tried again, cancelled, finished,
-- expired, deleted. How far a worker is, is no change of the record, and neither is a file's name, which may be a
-- person's: entries outlive the import, and erasures don't reach them there.
CREATE TRIGGER note_change AFTER INSERT OR DELETE ON import
    FOR EACH ROW EXECUTE FUNCTION note_change('{file_name,line_count,checked_count,bad_count,imported_count,failed_count,created_by,created_at,finished_at,started_by,lease_id,due_at,columns,date_order}');
CREATE TRIGGER note_step AFTER UPDATE ON import
    FOR EACH ROW WHEN (
        (NEW.state <> OLD.state AND NEW.state <> 'CHECKED')
        OR (OLD.waiting_for IS NOT NULL AND NEW.waiting_for IS NULL
            AND current_setting('app.action', true) = 'StartImport'))
    EXECUTE FUNCTION note_change('{file_name,checked_count,bad_count,imported_count,failed_count,created_by,created_at,finished_at,started_by,lease_id,due_at,columns,date_order}');
