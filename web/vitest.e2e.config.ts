import { defineConfig } from 'vitest/config';

/** The browser tests: one after the other, against the stack at FRONTDESK_URL. */
export default defineConfig({
  test: {
    include: ['e2e/**/*.e2e.ts'],
    setupFiles: ['e2e/setup.ts'],
    environment: 'node',
    fileParallelism: false,
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
