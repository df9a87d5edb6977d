import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from '@playwright/test';
import { REPOSITORY, sharedPlace, WORKER } from './stack';
import { expect } from './test';
import { until } from './until';

const PROGRAM = process.env.FRONTDESK_PROVIDERS ?? join(REPOSITORY, 'target/debug/provider-fakes');
/** The place of these systems among a stack's ports. */
const PORT = 94;

/** Phorest and Square as strict fakes, for a file of tests. */
export function useProviderFakes(): { url: string } {
  const url = `http://127.0.0.1:${sharedPlace(WORKER).basePort + PORT}`;
  let program: ChildProcess | undefined;
  test.beforeAll(async () => {
    program = spawn(PROGRAM, [new URL(url).host], { stdio: 'ignore' });
    await until(async () => expect((await fetch(`${url}/v2/bookings`)).status).toBe(401));
  });
  test.afterAll(() => program?.kill());
  return { url };
}
