import type { Page } from '@playwright/test';
import type { Scenario } from './answer';

/** A picture of a page. */
export type Shot = {
  name: string;
  path: string;
  as?: string;
  scenario?: Scenario;
  zone?: string;
  looks?: string[];
  act?: (page: Page) => Promise<unknown>;
  /** Without the panels for developers. */
  production?: boolean;
};
