import { existsSync } from 'node:fs';

/** The same engine without windows of its own: half the work for a page. Not every system has it. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';

/** The browser to run in. */
export const CHROMIUM =
  process.env.CHROMIUM ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : '/usr/bin/chromium');
