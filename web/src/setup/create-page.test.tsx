// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Outgoing } from '../http/transport';
import { paths } from '../paths';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount, refused } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: { user: null }, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Component: CreatePage } = await import('./create-page');

const ID = '01900000-0000-7000-8000-000000000001';
const business = { business: { id: ID, name: 'Willow & Co', timeZone: 'Europe/London' } };

/** Opens the page, without a step as it is led to from Admin. */
function open(answer: (path: string) => unknown, step?: string) {
  fillJsdomGaps();
  api.mockImplementation(async ({ path }) => (path === `/v1/businesses/${ID}` ? business : answer(path)));
  const path = '/admin/businesses/create';
  mount([{ path, element: <CreatePage /> }], paths.adminCreateBusiness(ID, step));
}

beforeEach(() => {
  api.mockReset();
});
afterEach(cleanup);

it('leads to the first step that is open', async () => {
  open(() => ({}));
  await screen.findByRole('heading', { name: 'Opening hours' });
});

it('says that a service is away, and goes on once it is back', async () => {
  let isAway = true;
  open((path) => {
    if (isAway && path.includes('schedule')) throw refused(503, 'UNAVAILABLE');
    return {};
  });
  await screen.findByText('What is set up can’t be shown');
  expect(screen.queryByLabelText('Loading what is set up')).toBeNull();
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Opening hours' });
});

it('offers each step meanwhile', async () => {
  open((path) => {
    if (path.includes('voice')) throw refused(503, 'UNAVAILABLE');
    return {};
  });
  await screen.findByText('What is set up can’t be shown');
  // A step that could not be looked at is not shown as one that is left to do.
  expect(screen.getByRole('link', { name: 'Telephone, not known yet' })).toBeTruthy();
  fireEvent.click(screen.getByRole('link', { name: 'Opening hours' }));
  await screen.findByRole('heading', { name: 'Opening hours' });
});

it('adds no services for a team that is not known', async () => {
  open((path) => {
    if (path.includes('employees')) throw refused(503, 'UNAVAILABLE');
    return {};
  }, 'services');
  await screen.findByText('The team can’t be shown');
  expect(screen.queryByRole('button', { name: /^Add \d+ services$/ })).toBeNull();
});
