-- Which movements were counted together, so that a stock-take is undone as a whole.
ALTER TABLE stock_movement ADD COLUMN stock_take_id uuid;
CREATE INDEX stock_movement_take ON stock_movement (business_id, stock_take_id) WHERE stock_take_id IS NOT NULL;
-- An item's latest count decides what may still be undone.
CREATE INDEX stock_movement_counts ON stock_movement (business_id, item_id, number)
    WHERE kind = 'COUNTED' AND undoes IS NULL;
DROP TRIGGER note_change ON stock_movement;
