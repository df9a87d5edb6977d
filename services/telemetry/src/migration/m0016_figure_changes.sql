-- What calls change the figures by, in the transaction that changes a call, until it is in them: before they are read,
-- and every two seconds. A row of the figures is one of many calls, so changing it at once had each call wait for those
-- before it to be on the disk.
CREATE TABLE figure_change (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    -- Of call_quarter and call_tally: their columns by name.
    parts jsonb NOT NULL,
    amounts jsonb NOT NULL,
    PRIMARY KEY (business_id, id)
);
