-- Two years of ten employees at one salon, one day of as many rows at the others, and many more without any.
CREATE FUNCTION pg_temp.id(n bigint) RETURNS uuid LANGUAGE sql AS
    $$ SELECT lpad(to_hex(n), 32, '0')::uuid $$;
INSERT INTO business_settings (business_id, time_zone)
    SELECT pg_temp.id(n), 'Europe/London' FROM generate_series(1, 20000) n;
INSERT INTO opening_hours SELECT pg_temp.id(n), day, 540, 1080
    FROM generate_series(1, 500) n, generate_series(1, 6) day;
INSERT INTO weekly_pattern SELECT pg_temp.id(n), pg_temp.id(e), '-infinity'
    FROM generate_series(1, 500) n, generate_series(1, 4) e;
INSERT INTO weekly_schedule SELECT business_id, employee_id, effective_from, day, 540, 1080
    FROM weekly_pattern, generate_series(1, 5) day;
INSERT INTO service (business_id, id, name, category, buffer_before_minutes, buffer_after_minutes,
        price_minor, currency, aliases)
    SELECT pg_temp.id(CASE WHEN n <= 500 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Service ' || n,
        'Category ' || n % 7, 0, 0, 100, 'GBP', '{}' FROM generate_series(1, 3000) n;
INSERT INTO service_segment SELECT business_id, id, 1, 'ACTIVE', 30 FROM service;
INSERT INTO service_employee SELECT business_id, id, pg_temp.id(1) FROM service;
INSERT INTO employee
    SELECT pg_temp.id(CASE WHEN n <= 500 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Employee ' || n
    FROM generate_series(1, 3000) n;
INSERT INTO resource
    SELECT pg_temp.id(CASE WHEN n <= 100 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Chair ' || n, 'chair'
    FROM generate_series(1, 3000) n;
INSERT INTO schedule_version
    SELECT pg_temp.id(1 + n % 500), n, '2025-06-01'::timestamptz + n * interval '1 minute', '{}'
    FROM generate_series(1, 10000) n;
INSERT INTO customer
    SELECT pg_temp.id(CASE WHEN n <= 2000 THEN 1 ELSE 1 + n % 500 END), pg_temp.id(n), 'Customer ' || n, '+4477009' || lpad(n::text, 5, '0')
    FROM generate_series(1, 6000) n;
INSERT INTO business_day SELECT pg_temp.id(1 + n % 20), '2025-06-01'::date + n / 20, 1, '2025-06-01'
    FROM generate_series(0, 14599) n;
CREATE TEMP TABLE visit AS
    SELECT pg_temp.id(CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n / 2 % 500 END) AS business_id, pg_temp.id(n) AS id,
        pg_temp.id(1 + n % 10) AS employee_id,
        '2025-06-01 08:00+00'::timestamptz + n / 160 * interval '1 day'
            + (n / 20) % 8 * interval '1 hour' AS starts_at
    FROM generate_series(0, 58399) n;
INSERT INTO ledger (business_id, id, subject_id, visit_id, kind, blocking, during, service_during, expires_at,
        recorded)
    SELECT business_id, gen_random_uuid(), gen_random_uuid(), id,
        CASE WHEN n % 50 = 0 THEN 'HOLD' ELSE 'BOOKING' END, true,
        tstzrange(starts_at, starts_at + interval '45 minutes'),
        tstzrange(starts_at, starts_at + interval '45 minutes'),
        CASE WHEN n % 50 = 0 THEN starts_at END,
        CASE WHEN n % 3 = 0 THEN '[2025-01-01,2025-02-01)'::tstzrange ELSE '[2025-01-01,)'::tstzrange END
    FROM (SELECT *, row_number() OVER () AS n FROM visit WHERE id <> pg_temp.id(0)) v;
INSERT INTO hold (business_id, id, call_id, held_by, starts_at, ends_at, price_minor, currency, ledger_rows, created_at, expires_at)
    SELECT business_id, id, CASE WHEN hashtext(id::text) % 2 = 0 THEN gen_random_uuid() END,
        'user:' || hashtext(id::text) % 50, starts_at, starts_at + interval '1 hour', 1, 'GBP', 1, starts_at,
        starts_at FROM visit WHERE id < pg_temp.id(5000);
INSERT INTO appointment (business_id, id, state, starts_at, ends_at, price_minor, currency, notes, version,
        created_at, customer_id)
    SELECT business_id, id, 'BOOKED', starts_at, starts_at + interval '1 hour', 1, 'GBP', '', 1, starts_at,
        pg_temp.id(1 + (hashtext(id::text) & 1023)) FROM visit;
INSERT INTO appointment_item (business_id, visit_id, position, service_id, employee_id, starts_at, ends_at)
    SELECT v.business_id, v.id, 1, (SELECT s.id FROM service s WHERE s.business_id = v.business_id LIMIT 1),
        employee_id, starts_at, starts_at + interval '1 hour' FROM visit v;
INSERT INTO state_change (business_id, visit_id, position, state, entered_at, entered_by)
    SELECT business_id, id, 1, 'BOOKED', starts_at, '' FROM visit;
INSERT INTO busy_fact (business_id, id, source_id, external_id, employee_id, title, starts_at, ends_at, origin)
    SELECT business_id, id, pg_temp.id(1), id::text, employee_id, '', starts_at, starts_at + interval '1 hour', 'CALENDAR'
    FROM visit WHERE id < pg_temp.id(20000);
INSERT INTO busy_source SELECT pg_temp.id(1 + n % 2000), pg_temp.id(n), pg_temp.id(3), 'DEMO', 'Private', 2, '2026-06-01',
    NULL, NULL, false, '2026-06-01', 'FRESH', 1, timestamptz '2026-06-01' + n * interval '1 minute'
    FROM generate_series(1, 20000) n;
INSERT INTO conflict (business_id, id, fact_id, appointment_id, employee_id, starts_at, ends_at, recorded_at)
    SELECT business_id, id, id, id, employee_id, starts_at, starts_at + interval '1 hour', starts_at
    FROM visit WHERE id < pg_temp.id(20000);
INSERT INTO time_off (business_id, id, employee_id, kind, reason, starts_at, ends_at, state, requested_by,
        requested_at, version)
    SELECT business_id, id, employee_id, 'SICK', '', starts_at, starts_at + interval '1 day', 'REQUESTED', '',
        starts_at, 1 FROM visit WHERE id < pg_temp.id(20000);
INSERT INTO unmatched_phrase SELECT pg_temp.id(1 + n % 40), pg_temp.id(n), 'phrase ' || n, 1 + n % 9,
    '2026-06-01', '2026-06-01', NULL, n % 7 = 0 FROM generate_series(1, 20000) n;
INSERT INTO pairing SELECT pg_temp.id(1), pg_temp.id(n), pg_temp.id(1 + n % 500), pg_temp.id(1 + (n + 1 + n / 500) % 500), '',
    '2026-06-01' FROM generate_series(1, 5000) n;
INSERT INTO unmet_demand SELECT pg_temp.id(1 + n % 20), '2025-06-01'::date + n / 20,
    ARRAY[pg_temp.id(n % 5)], 'ANY', 1 FROM generate_series(1, 14000) n;
INSERT INTO waitlist_entry SELECT pg_temp.id(1 + n % 40), pg_temp.id(n), pg_temp.id(1 + n % 2000), '2026-06-02',
    '2026-06-09', 0, 1440, '', '2026-05-01'::timestamptz + n * interval '1 minute',
    CASE WHEN n % 9 = 0 THEN 'WAITING' ELSE 'LEFT' END, NULL, CASE WHEN n % 9 = 0 THEN NULL ELSE now() END,
    CASE WHEN n % 9 = 0 THEN NULL ELSE 'user:1' END, CASE WHEN n % 9 = 0 THEN NULL ELSE '' END, 1
    FROM generate_series(1, 20000) n;
INSERT INTO waitlist_item SELECT business_id, id, 1, pg_temp.id(1), NULL, NULL, 0 FROM waitlist_entry
    WHERE business_id = pg_temp.id(1);
INSERT INTO proposal (business_id, id, day, cause, appointment_id, minutes, state, created_by, created_at,
        closed_by, closed_at, version)
    SELECT business_id, id, starts_at::date, 'DELAY', id, 10, CASE WHEN open THEN 'OPEN' ELSE 'DISMISSED' END, '',
        starts_at, CASE WHEN NOT open THEN '' END, CASE WHEN NOT open THEN starts_at END, 1
    FROM (SELECT *, row_number() OVER () % 9 = 0 AS open FROM visit WHERE id < pg_temp.id(20000)) v;
INSERT INTO proposal_line (business_id, id, proposal_id, position, change, appointment_id, seen_version,
        from_starts_at, from_ends_at, from_employee_ids)
    SELECT business_id, id, id, 1, 'UNPLACED', appointment_id, 1, created_at, created_at, '{}' FROM proposal;
INSERT INTO stranded_contact
    SELECT business_id, id, id, 'TOLD', '', ARRAY[id], starts_at, '', CASE WHEN open THEN NULL ELSE starts_at END
    FROM (SELECT *, row_number() OVER () % 9 = 0 AS open FROM visit WHERE id < pg_temp.id(20000)) v;
INSERT INTO block (business_id, id, employee_id, title, starts_at, ends_at, blocked_by, blocked_at)
    SELECT business_id, id, employee_id, 'Lunch', starts_at, starts_at + interval '1 hour', '', starts_at
    FROM visit WHERE id < pg_temp.id(20000);
ANALYZE;
