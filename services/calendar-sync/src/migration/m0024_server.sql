-- At which server a calendar is read: no server takes all turns of those that read. Empty where nothing is called, or not
-- known because the release before connected it.
ALTER TABLE sync_state ADD COLUMN server text NOT NULL DEFAULT '';
UPDATE sync_state s SET server = substring(k.collection FROM '^[a-z]+://([^/]*)') FROM caldav_calendar k
WHERE k.business_id = s.business_id AND k.id = s.calendar_id AND k.collection ~ '^[a-z]+://';
UPDATE sync_state s SET server = i.host FROM ics_calendar i
WHERE i.business_id = s.business_id AND i.id = s.calendar_id;
UPDATE sync_state s SET server = 'google' FROM google_calendar g
WHERE g.business_id = s.business_id AND g.id = s.calendar_id;
UPDATE sync_state s SET server = rtrim(o.kind || ' ' || o.profile) FROM provider_calendar p
JOIN provider_connection o ON o.business_id = p.business_id AND o.id = p.connection_id
WHERE p.business_id = s.business_id AND p.id = s.calendar_id;
