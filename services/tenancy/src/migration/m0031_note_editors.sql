-- Who put other words into a note than those that it is signed for.
ALTER TABLE customer_note ADD COLUMN edited_by text;

DROP TRIGGER note_change ON customer_note;
