import { defineConfig } from '@playwright/test';
import { CHROMIUM } from './e2e/chromium';
import { GIVEN, OUTPUT } from './e2e/stack';

/** The browser journeys: each worker plays whole files, one after the other, on a stack of its own. */
export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: OUTPUT,
  globalSetup: './e2e/stacks.ts',
  workers: GIVEN ? 1 : Number(process.env.FRONTDESK_WORKERS ?? 2),
  // A test that passes at the second attempt only is a bug.
  retries: 0,
  forbidOnly: true,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  reportSlowTests: null,
  use: {
    launchOptions: {
      executablePath: CHROMIUM,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
