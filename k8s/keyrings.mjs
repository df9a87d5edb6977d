#!/usr/bin/env node
// Passport keyrings: a file per service, <service>.json, as the programs read them.
//
//   keyrings.mjs new DIR      keys for every service, each believing all
//   keyrings.mjs add DIR      a next key for each; all believe it, none signs with it yet
//   keyrings.mjs switch DIR   each signs with its next key
//   keyrings.mjs retire DIR   only the keys that are signed with are believed
//
// The next seeds wait in DIR/next.json, which belongs into no cluster.
import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVICES = ['auth', 'tenancy', 'scheduling', 'calendar-sync', 'telemetry', 'bff'];

/** What stands before an Ed25519 seed in PKCS #8. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

export function publicKey(seed) {
  const der = Buffer.concat([PKCS8, Buffer.from(seed, 'base64url')]);
  const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
  return key.export({ format: 'jwk' }).x;
}

function freshKey(service, generation) {
  return { kid: `${service}-${generation}`, seed: randomBytes(32).toString('base64url') };
}

const trust = (issuer, { kid, seed }) => ({ kid, issuer, x: publicKey(seed) });

function store(dir) {
  const file = (name) => join(dir, `${name}.json`);
  const read = (name) => JSON.parse(readFileSync(file(name), 'utf8'));
  const write = (name, value) =>
    writeFileSync(file(name), `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  return {
    file,
    read,
    write,
    all: () => SERVICES.map(read),
    save: (rings) => rings.forEach((ring) => write(ring.issuer, ring)),
  };
}

export const commands = {
  new(dir) {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const { file, save } = store(dir);
    if (SERVICES.some((service) => existsSync(file(service)))) throw new Error(`${dir} has keyrings already`);
    const signing = SERVICES.map((service) => freshKey(service, 1));
    const trusted = SERVICES.map((issuer, n) => trust(issuer, signing[n]));
    save(SERVICES.map((issuer, n) => ({ issuer, signing: signing[n], trusted })));
  },
  add(dir) {
    const { all, file, save, write } = store(dir);
    if (existsSync(file('next'))) throw new Error('a rotation is under way: switch, then retire');
    const rings = all();
    const generation = (kid) => Number(kid.slice(kid.lastIndexOf('-') + 1));
    const next = Object.fromEntries(
      rings.map(({ issuer, signing }) => [issuer, freshKey(issuer, generation(signing.kid) + 1)]),
    );
    write('next', next);
    const more = SERVICES.map((issuer) => trust(issuer, next[issuer]));
    save(rings.map((ring) => ({ ...ring, trusted: [...ring.trusted, ...more] })));
  },
  switch(dir) {
    const { all, file, read, save } = store(dir);
    const next = read('next');
    save(all().map((ring) => ({ ...ring, signing: next[ring.issuer] })));
    rmSync(file('next'));
  },
  retire(dir) {
    const { all, file, save } = store(dir);
    if (existsSync(file('next'))) throw new Error('the next keys are not in use yet: switch first');
    const rings = all();
    const used = new Set(rings.map((ring) => ring.signing.kid));
    save(rings.map((ring) => ({ ...ring, trusted: ring.trusted.filter(({ kid }) => used.has(kid)) })));
  },
};

if (import.meta.main ?? process.argv[1] === import.meta.filename) {
  const [command, dir] = process.argv.slice(2);
  if (!commands[command] || !dir) {
    console.error('usage: keyrings.mjs new|add|switch|retire DIR');
    process.exit(2);
  }
  try {
    commands[command](dir);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
