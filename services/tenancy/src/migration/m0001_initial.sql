-- Names sort as people expect, alike on every server: the database's own collation is the machine's.
-- Keys begin with the business. Ids are random, so that they differ between businesses as well: only services
-- choose any.

-- Words of a name, each behind a space, without case and accents: written once, here, for what is
-- kept and for what is looked for.
CREATE FUNCTION folded(name text) RETURNS text IMMUTABLE STRICT PARALLEL SAFE LANGUAGE sql AS $$
    SELECT ' ' || lower(regexp_replace(
        regexp_replace(normalize(name, NFD), '[\u0300-\u036f]', '', 'g'), '[[:space:]-]+', ' ', 'g'))
$$;

CREATE TABLE business (
    business_id uuid PRIMARY KEY,
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    address text,
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    time_zone text NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL
);
CREATE INDEX business_by_name ON business (name, business_id);

CREATE TABLE employee (
    business_id uuid NOT NULL CONSTRAINT employee_business REFERENCES business (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    user_id uuid,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT employee_user UNIQUE (business_id, user_id)
);
CREATE INDEX employee_by_name ON employee (business_id, name, id);

CREATE TABLE customer (
    business_id uuid NOT NULL CONSTRAINT customer_business REFERENCES business (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    email text,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    folded_name text NOT NULL GENERATED ALWAYS AS (folded(name)) STORED,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX customer_by_name ON customer (business_id, name, id);
CREATE INDEX customer_by_phone ON customer (business_id, phone, name, id) WHERE phone IS NOT NULL;

CREATE TABLE data_key (
    business_id uuid NOT NULL CONSTRAINT data_key_business REFERENCES business (business_id),
    id uuid NOT NULL,
    master_key text NOT NULL,
    sealed bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT data_key_one UNIQUE (business_id)
);
CREATE INDEX data_key_by_master ON data_key (master_key, id);

CREATE TABLE voice_connection (
    business_id uuid NOT NULL CONSTRAINT voice_connection_business REFERENCES business (business_id),
    id uuid NOT NULL,
    platform text NOT NULL CHECK (platform IN ('RETELL')),
    label text COLLATE "und-x-icu" NOT NULL CHECK (label <> ''),
    data_key_id uuid NOT NULL,
    sealed_secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT voice_connection_data_key
        FOREIGN KEY (business_id, data_key_id) REFERENCES data_key (business_id, id)
);
CREATE INDEX voice_connection_by_label ON voice_connection (business_id, label, id);
-- A webhook names its connection without the business.
CREATE INDEX voice_connection_by_id ON voice_connection (id);

-- A follow-up that is due at no time is due on the last day there is, after everything else. Calls are
-- another service's.
CREATE TABLE follow_up (
    business_id uuid NOT NULL CONSTRAINT follow_up_business REFERENCES business (business_id),
    id uuid NOT NULL,
    text text NOT NULL CHECK (text <> ''),
    customer_id uuid,
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    call_id uuid,
    employee_id uuid,
    due_at timestamptz NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    done_by text,
    done_at timestamptz,
    version bigint NOT NULL CHECK (version > 0),
    PRIMARY KEY (business_id, id),
    CHECK ((done_by IS NULL) = (done_at IS NULL)),
    CONSTRAINT follow_up_customer FOREIGN KEY (business_id, customer_id) REFERENCES customer (business_id, id),
    CONSTRAINT follow_up_employee FOREIGN KEY (business_id, employee_id) REFERENCES employee (business_id, id)
);
CREATE INDEX follow_up_open ON follow_up (business_id, due_at, id) WHERE done_at IS NULL;
CREATE INDEX follow_up_done ON follow_up (business_id, due_at, id) WHERE done_at IS NOT NULL;
