-- Many records from one table. The worker that holds the lease works on it until `due_at`; what a transaction did with some
-- lines is counted in the same one.
CREATE TABLE import (
    business_id uuid NOT NULL CONSTRAINT import_business REFERENCES business (business_id),
    id uuid NOT NULL,
    kind text NOT NULL CHECK (kind IN ('ITEMS', 'CUSTOMERS', 'EMPLOYEES')),
    file_name text,
    state text NOT NULL
        CHECK (state IN ('RECEIVING', 'CHECKING', 'CHECKED', 'IMPORTING', 'DONE', 'CANCELLED')),
    line_count integer NOT NULL,
    checked_count integer NOT NULL,
    bad_count integer NOT NULL,
    imported_count integer NOT NULL,
    failed_count integer NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    finished_at timestamptz,
    waiting_for text,
    lease_id uuid,
    due_at timestamptz,
    PRIMARY KEY (business_id, id),
    CHECK ((finished_at IS NOT NULL) = (state IN ('DONE', 'CANCELLED')))
);
CREATE INDEX import_latest ON import (business_id, kind, created_at, id);
CREATE INDEX import_due ON import (due_at) WHERE state IN ('CHECKING', 'IMPORTING');
CREATE INDEX import_age ON import (created_at);
CREATE INDEX import_finished ON import (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE import_part (
    business_id uuid NOT NULL,
    import_id uuid NOT NULL,
    part integer NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (business_id, import_id, part),
    CONSTRAINT import_part_import
        FOREIGN KEY (business_id, import_id) REFERENCES import (business_id, id) ON DELETE CASCADE
);

-- `record_id` is the record that the line became; of a line that is good still, one that is being made.
CREATE TABLE import_line (
    business_id uuid NOT NULL,
    import_id uuid NOT NULL,
    line integer NOT NULL,
    state text NOT NULL CHECK (state IN ('UNCHECKED', 'GOOD', 'BAD', 'IMPORTED', 'FAILED')),
    cells jsonb NOT NULL,
    field text,
    fault text,
    record_id uuid,
    PRIMARY KEY (business_id, import_id, line),
    FOREIGN KEY (business_id, import_id) REFERENCES import (business_id, id) ON DELETE CASCADE
);
CREATE INDEX import_line_state ON import_line (business_id, import_id, state, line);

-- What no two lines of an import may have in common, such as an SKU: the first line has it.
CREATE TABLE import_key (
    business_id uuid NOT NULL,
    import_id uuid NOT NULL,
    key text NOT NULL,
    line integer NOT NULL,
    PRIMARY KEY (business_id, import_id, key),
    FOREIGN KEY (business_id, import_id) REFERENCES import (business_id, id) ON DELETE CASCADE
);
