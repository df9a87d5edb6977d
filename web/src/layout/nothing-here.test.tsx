// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { mount } from '../testing/mount';

const OWN = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';
const state = vi.hoisted(() => ({ user: { businessIds: ['01900000-0000-7000-8000-000000000001'] } }));
vi.mock('../session/use-session', () => ({ useSession: () => state }));

const { default: NothingHere } = await import('./nothing-here');

const ways = (at: string) => {
  mount(
    [
      { path: '/:businessId', element: <NothingHere /> },
      { path: '/:businessId/customers/:customerId', element: <NothingHere /> },
    ],
    at,
  );
  return screen.getAllByRole('link').map((link) => link.getAttribute('href'));
};

afterEach(cleanup);

it('a record that is gone leads to the home of its business', () => {
  expect(ways(`/${OWN}/customers/${OTHER}`)).toEqual([`/${OWN}`, '/my/businesses']);
});

it('a business of others, and a home itself, lead to the person’s businesses alone', () => {
  expect(ways(`/${OTHER}/customers/${OWN}`)).toEqual(['/my/businesses']);
  cleanup();
  expect(ways(`/${OWN}`)).toEqual(['/my/businesses']);
});
