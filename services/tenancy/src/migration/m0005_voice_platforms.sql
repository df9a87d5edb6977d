ALTER TABLE voice_connection
    DROP CONSTRAINT voice_connection_platform_check,
    ADD CONSTRAINT voice_connection_platform_check
        CHECK (platform IN ('RETELL', 'VAPI', 'TWILIO', 'ELEVENLABS')),
    ADD COLUMN webhook_check text NOT NULL DEFAULT 'PLATFORM_SIGNATURE'
        CHECK (webhook_check IN ('PLATFORM_SIGNATURE', 'BEARER', 'HMAC')),
    ADD COLUMN hmac jsonb,
    ADD COLUMN account text NOT NULL DEFAULT '',
    ADD COLUMN platform_agent text NOT NULL DEFAULT '',
    ADD COLUMN sealed_api_key bytea,
    -- A replaced secret counts until then: the platform learns the new one a moment later.
    ADD COLUMN sealed_old_secret bytea,
    ADD COLUMN old_secret_until timestamptz,
    ADD CONSTRAINT voice_connection_hmac CHECK ((webhook_check = 'HMAC') = (hmac IS NOT NULL)),
    ADD CONSTRAINT voice_connection_old_secret CHECK ((sealed_old_secret IS NULL) = (old_secret_until IS NULL));
