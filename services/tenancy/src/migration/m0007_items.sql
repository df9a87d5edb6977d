CREATE TABLE supplier (
    business_id uuid NOT NULL CONSTRAINT supplier_business REFERENCES business (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    phone text CHECK (phone ~ '^\+[0-9]{5,15}$'),
    email text,
    note text,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT supplier_name UNIQUE (business_id, name)
);
CREATE INDEX supplier_by_name ON supplier (business_id, name, id);

-- `on_hand` is what the item's movements add up to: only the function that adds a movement changes it.
CREATE TABLE item (
    business_id uuid NOT NULL CONSTRAINT item_business REFERENCES business (business_id),
    id uuid NOT NULL,
    name text COLLATE "und-x-icu" NOT NULL CHECK (name <> ''),
    category text COLLATE "und-x-icu" NOT NULL,
    sku text,
    barcode text CHECK (barcode ~ '^[0-9]{8,14}$'),
    price_minor integer CHECK (price_minor >= 0),
    cost_minor integer CHECK (cost_minor >= 0),
    currency text CHECK (currency ~ '^[A-Z]{3}$'),
    tax_basis_points integer NOT NULL CHECK (tax_basis_points BETWEEN 0 AND 10000),
    supplier_id uuid,
    low_stock_at integer CHECK (low_stock_at >= 0),
    unit text NOT NULL,
    on_hand bigint NOT NULL DEFAULT 0,
    archived boolean NOT NULL DEFAULT false,
    version bigint NOT NULL CHECK (version > 0),
    revision bigint NOT NULL CHECK (revision > 0),
    created_at timestamptz NOT NULL,
    search_text text NOT NULL GENERATED ALWAYS AS (
        folded(name) || folded(category) || folded(coalesce(sku, '')) || folded(coalesce(barcode, ''))
    ) STORED,
    PRIMARY KEY (business_id, id),
    CHECK (currency IS NOT NULL OR num_nonnulls(price_minor, cost_minor) = 0),
    CONSTRAINT item_supplier FOREIGN KEY (business_id, supplier_id) REFERENCES supplier (business_id, id)
);
CREATE UNIQUE INDEX item_sku ON item (business_id, lower(sku));
CREATE UNIQUE INDEX item_barcode ON item (business_id, barcode);
CREATE INDEX item_by_name ON item (business_id, archived, name, id);
CREATE INDEX item_low ON item (business_id, name, id) WHERE NOT archived AND on_hand <= low_stock_at;
CREATE INDEX item_by_category ON item (business_id, category, name, id);
CREATE INDEX item_of_supplier ON item (business_id, supplier_id) WHERE supplier_id IS NOT NULL;
CREATE INDEX item_search ON item USING gin (business_id, search_text gin_trgm_ops) WITH (fastupdate = off);

-- `number` counts the changes of the item: movements are in its order.
CREATE TABLE stock_movement (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    item_id uuid NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('RECEIVED', 'SOLD', 'USED', 'COUNTED', 'WASTED')),
    quantity bigint NOT NULL,
    on_hand bigint NOT NULL,
    unit_cost_minor integer CHECK (unit_cost_minor >= 0),
    note text,
    undoes uuid,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id),
    CONSTRAINT stock_movement_number UNIQUE (business_id, item_id, number),
    CONSTRAINT stock_movement_undoes UNIQUE (business_id, undoes),
    CONSTRAINT stock_movement_item FOREIGN KEY (business_id, item_id) REFERENCES item (business_id, id),
    CONSTRAINT stock_movement_undone FOREIGN KEY (business_id, undoes) REFERENCES stock_movement (business_id, id),
    CHECK (kind = 'COUNTED' OR quantity <> 0),
    CHECK (undoes IS NOT NULL OR kind = 'COUNTED' OR (kind = 'RECEIVED') = (quantity > 0))
);

-- Policies keep LIKE from using an index, as with customers: the function runs as the owner, filters by the business
-- itself and gives ids, which the caller reads under its policies.
CREATE POLICY search ON item FOR SELECT TO tenancy_owner USING (true);
CREATE FUNCTION search_items(
    words text[], is_archived boolean, after_name text, after_id uuid, most bigint
) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off AS $$
DECLARE
    business CONSTANT uuid := NULLIF(current_setting('app.business_id', true), '')::uuid;
    patterns CONSTANT text[] := ARRAY(
        SELECT '%' || replace(replace(replace(rtrim(public.folded(word)), '\', '\\'), '%', '\%'), '_', '\_') || '%'
        FROM unnest(words) AS word WHERE trim(word) <> '');
BEGIN
    RETURN QUERY SELECT id FROM public.item
        WHERE business_id = business AND archived = is_archived AND search_text LIKE ALL (patterns)
            AND (name, id) > (after_name, after_id)
        ORDER BY name, id LIMIT most;
END
$$;
