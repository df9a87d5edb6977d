"""What value files expect in their namespace before they are installed, with what its owners would put there."""

# Besides the secrets that k8s/secrets.mjs makes, with their keys.
SECRETS = {
    "outside": {
        "mail-ca": ["root.pem"],
        "postgres-ca": ["ca.crt"],
        "redis-ca": ["root.pem"],
        "frontdesk-google": ["client-secret"],
        "frontdesk-google-calendar": ["client-secret"],
        "agent-model": ["api-key"],
        "recordings": ["access-key-id", "secret-access-key"],
        "recordings-ca": ["authority.pem"],
        "registry": [".dockerconfigjson"],
    },
    "pooled": {"frontdesk-ca": ["ca.crt"]},
    "prod": {"frontdesk-ca": ["ca.crt"], "frontdesk-redis-tls": ["ca.crt"], "frontdesk-collector": ["OTLP_TOKEN"]},
    "secrets": {
        "vault-auth": ["database-url", "session-key", "sealing-key"],
        "vault-auth-owner": ["migration-url"],
        "vault-auth-keys": ["keyring.json"],
        "vault-browser": ["xsrf-key"],
        "vault-doors-keys": ["keyring.json"],
        "vault-redis": ["redis-url", "cache-url"],
        "vault-mail": ["smtp-url"],
        "vault-auth-tls": ["tls.crt", "tls.key", "ca.crt"],
    }
    | {
        f"frontdesk-{component}-tls": ["tls.crt", "tls.key", "ca.crt"]
        for component in ("tenancy", "scheduling", "calendar-sync", "telemetry", "browser", "voice")
    },
    "tried": {"frontdesk-test": ["email", "password"]},
    "watched": {"frontdesk-tempo": ["TEMPO_TOKEN"]},
}
CONFIG_MAPS = {"outside": {"booking-systems": {"salon-software.json": "{}"}}}
