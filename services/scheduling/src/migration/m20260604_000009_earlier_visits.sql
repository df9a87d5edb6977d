-- A service may need an earlier visit with another: a patch test two days before a colour.
ALTER TABLE dependency
    DROP CONSTRAINT dependency_rule_check,
    ADD CONSTRAINT dependency_rule_check
        CHECK (rule IN ('ORDER', 'SAME_EMPLOYEE', 'DIFFERENT_EMPLOYEE', 'PARALLEL', 'EARLIER_VISIT')),
    ADD COLUMN least_hours smallint,
    ADD COLUMN most_days smallint,
    ADD CONSTRAINT dependency_earlier
        CHECK ((rule = 'EARLIER_VISIT') = (least_hours IS NOT NULL AND most_days IS NOT NULL)
            AND num_nulls(least_hours, most_days) IN (0, 2)),
    ADD CONSTRAINT dependency_window CHECK (0 <= least_hours AND least_hours <= 24 * most_days);

-- What somebody had.
CREATE INDEX appointment_customer ON appointment (business_id, customer_id, starts_at)
    WHERE customer_id IS NOT NULL;
