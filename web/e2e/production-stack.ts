import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 120_000;

/** A second stack, which asks for a trusted device before anything sensitive. */
export type ProductionStack = { url: string; mail: string };

/** Starts it for a file of tests, and stops it whatever came. */
export function useProductionStack(): () => ProductionStack {
  let stack: ProductionStack & { process: ChildProcess; data: string };
  beforeAll(async () => {
    stack = await start();
  }, READY_WITHIN_MS);
  afterAll(async () => {
    const ended = new Promise((resolve) => stack.process.once('exit', resolve));
    stack.process.kill('SIGTERM');
    await ended;
    await rm(stack.data, { recursive: true, force: true });
  }, READY_WITHIN_MS);
  return () => stack;
}

async function start() {
  const binary = process.env.FRONTDESK_LOCAL;
  if (!binary) throw new Error('FRONTDESK_LOCAL does not name the program that starts a stack.');
  const data = await mkdtemp(join(tmpdir(), 'frontdesk-'));
  const port = process.env.FRONTDESK_PRODUCTION_PORT ?? '18081';
  const basePort = process.env.FRONTDESK_PRODUCTION_BASE_PORT ?? '17300';
  const args = ['all', '--port', port, '--base-port', basePort, '--data', join(data, 'data')];
  const child = spawn(binary, args, {
    cwd: REPOSITORY,
    env: { ...process.env, SECURITY_PROFILE: 'production', RUST_LOG: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  await ready(child);
  return { process: child, data, url: `http://localhost:${port}`, mail: join(data, 'data', 'mail') };
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Frontdesk is ready')) resolve();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`The stack ended: ${said}`)));
  });
}
