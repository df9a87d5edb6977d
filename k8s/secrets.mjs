#!/usr/bin/env node
// A first set of the secrets that the chart names, as manifests on standard output. Run once: a second run makes
// other keys, which end every session and open nothing that is sealed.
//
//   secrets.mjs --postgres HOST --redis HOST [--smtp URL] [--postgres-query 'sslmode=verify-full&sslrootcert=…']
//     [--pooler HOST] [--plain]
//
// With a pooler, services connect to it, and migrations to Postgres. With --plain neither Postgres nor Redis is asked
// for TLS: in development, or with the chart's `transport.stores: mesh`.
//
// For a vault, take it as the list of what to make. The databases' roles are in frontdesk-postgres-roles, which
// k8s/postgres/bootstrap.yaml reads.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { commands } from './keyrings.mjs';

const { values: options } = parseArgs({
  options: {
    postgres: { type: 'string' },
    'postgres-query': { type: 'string' },
    plain: { type: 'boolean', default: false },
    pooler: { type: 'string' },
    redis: { type: 'string' },
    smtp: { type: 'string' },
  },
});
if (!options.postgres || !options.redis) {
  console.error(
    'usage: secrets.mjs --postgres HOST --redis HOST [--smtp URL] [--postgres-query QUERY] [--pooler HOST] [--plain]',
  );
  process.exit(2);
}

const key = () => randomBytes(32).toString('base64url');
const password = () => randomBytes(24).toString('base64url');
const asked = options['postgres-query'] ?? (options.plain ? '' : 'sslmode=verify-full');
const query = asked && `?${asked}`;
const redis = `${options.plain ? 'redis' : 'rediss'}://${options.redis}`;
const database = (host, role, secret, name) => `postgres://${role}:${secret}@${host}/${name}${query}`;

const DATABASES = ['auth', 'tenancy', 'scheduling', 'calendar-sync', 'telemetry'];
const own = {
  auth: { 'session-key': key(), 'sealing-key': key() },
  tenancy: { 'sealing-keys': `first:${key()}` },
  'calendar-sync': { 'sealing-keys': `first:${key()}` },
};

const secrets = { 'frontdesk-browser': { 'xsrf-key': key() }, 'frontdesk-postgres-roles': {} };
for (const service of DATABASES) {
  const name = service.replace('-', '_');
  const [owner, app] = [password(), password()];
  const served = database(options.pooler ?? options.postgres, `${name}_app`, app, name);
  secrets[`frontdesk-${service}`] = { 'database-url': served, ...own[service] };
  const migrated = database(options.postgres, `${name}_owner`, owner, name);
  secrets[`frontdesk-${service}-migration`] = { 'migration-url': migrated };
  Object.assign(secrets['frontdesk-postgres-roles'], { [`${name}_owner`]: owner, [`${name}_app`]: app });
}
secrets['frontdesk-redis'] = {
  'redis-url': `${redis}/0`,
  'cache-url': `${redis}/1`,
};
if (options.smtp) secrets['frontdesk-mail'] = { 'smtp-url': options.smtp };

const folder = mkdtempSync(join(tmpdir(), 'frontdesk-keys-'));
commands.new(folder);
for (const service of [...DATABASES, 'bff']) {
  secrets[`frontdesk-${service}-passports`] = {
    'keyring.json': readFileSync(join(folder, `${service}.json`), 'utf8'),
  };
}
rmSync(folder, { recursive: true });

for (const [name, stringData] of Object.entries(secrets)) {
  // JSON is YAML.
  console.log('---');
  console.log(JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData }, null, 2));
}
