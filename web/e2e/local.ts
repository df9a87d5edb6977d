import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { OUTPUT, type Place, REPOSITORY } from './stack';

const LOCAL = process.env.FRONTDESK_LOCAL ?? join(REPOSITORY, 'target/debug/local');
const READY = 'Frontdesk is ready';
export const READY_WITHIN_MS = 120_000;

/** Stops a stack, and removes what it kept. */
export type Stop = () => Promise<void>;

/** Starts a stack and resolves once it is ready. */
export async function startStack(place: Place, environment = {}, more: string[] = []): Promise<Stop> {
  const { port, basePort, data } = place;
  const flags = ['--port', `${port}`, '--base-port', `${basePort}`, '--data', data, ...more];
  const child = spawn(LOCAL, ['all', ...flags], {
    cwd: REPOSITORY,
    env: { RUST_LOG: 'warn', ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = () => child.kill();
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    // It never began.
    child.once('error', () => resolve());
  });
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
    await rm(data, { recursive: true, force: true });
  };
  keepLog(child, `stack-${basename(data)}.log`);
  await ready(child).catch(async (error) => {
    await stop();
    throw error;
  });
  return stop;
}

function keepLog({ stdout, stderr }: ChildProcess, name: string): void {
  mkdirSync(OUTPUT, { recursive: true });
  const log = createWriteStream(join(OUTPUT, name), { flags: 'a' });
  stdout?.pipe(log, { end: false });
  stderr?.pipe(log, { end: false });
}

function ready(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    const listen = (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(READY)) settle(resolve);
    };
    const settle = (answer: () => void) => {
      clearTimeout(patience);
      child.stdout?.off('data', listen);
      child.stderr?.off('data', listen);
      answer();
    };
    const fail = (why: string) => settle(() => reject(new Error(`${why}: ${said}`)));
    const patience = setTimeout(() => fail('The stack is not ready in time'), READY_WITHIN_MS);
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('error', ({ message }) => fail(message));
    child.once('close', () => fail('The stack ended'));
  });
}

/** Plays the recorded call through the signed webhooks of a stack; resolves when it is over. */
export function playCall({ url, data }: Pick<Place, 'url' | 'data'>, ...flags: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(LOCAL, ['demo-call', '--url', url, '--data', data, ...flags], {
      cwd: REPOSITORY,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The demo call failed: ${complaint}`)),
    );
  });
}

/** Makes the first administrator of a stack that runs: the link by which they choose a password. */
export function createAdmin({ port, basePort, data }: Place, email: string): Promise<string> {
  const flags = ['--port', `${port}`, '--base-port', `${basePort}`, '--data', data];
  return new Promise((resolve, reject) => {
    const child = spawn(LOCAL, ['create-admin', '--email', email, ...flags], { cwd: REPOSITORY });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        said += chunk.toString();
      });
    child.on('error', reject);
    child.on('close', () => {
      const link = /https?:\/\/\S+\/reset-password\?token=[\w.=&-]+/.exec(said);
      if (link) resolve(link[0]);
      else reject(new Error(`No administrator was made: ${said}`));
    });
  });
}
