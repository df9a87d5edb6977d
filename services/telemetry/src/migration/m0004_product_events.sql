-- What people and services do with the product. It names no person but the actor.
CREATE TABLE product_event (
    business_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    -- Of what its kind says.
    version smallint NOT NULL CHECK (version > 0),
    actor text NOT NULL,
    tab text NOT NULL,
    page text NOT NULL,
    detail text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (business_id, id)
);
CREATE INDEX product_event_newest ON product_event (business_id, at DESC, id DESC);
-- Administrators read those of all businesses, and old ones are swept.
CREATE INDEX product_event_at ON product_event (at DESC, id DESC);
