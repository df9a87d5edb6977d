/** The stack under test, and the people and businesses its demo data has. */
export const BASE_URL = process.env.FRONTDESK_URL ?? 'http://localhost:8080';

export const PASSWORD = 'Frontdesk-demo-1';
export const WILLOW = '01900000-0000-7000-8000-000000000001';
export const SECOND = '01900000-0000-7000-8000-000000000002';

export const people = {
  admin: 'admin@demo.test',
  owner: 'owner@demo.test',
  manager: 'manager@demo.test',
  employee: 'employee@demo.test',
  guest: 'guest@demo.test',
} as const;
