// @vitest-environment jsdom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, it, vi } from 'vitest';
import { pinnedNotesQuery } from '../../customers/queries';
import { columnsOf } from '../../day/columns';
import { column, dayOf, visit } from '../../testing/day-answer';
import { mount } from '../../testing/mount';

vi.mock('../../session/current', () => ({
  session: { state: { user: null }, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { DaySheet } = await import('./day-sheet');

const columns = columnsOf(
  dayOf({ columns: [column('ana')], visits: [visit('zoe', [['cut', 'ana', 600, 630]])] }),
  '',
);
const sheet = <DaySheet businessId="b" zone="UTC" columns={columns} mayReadNotes />;

afterEach(cleanup);

it('leads to the command that reads pinned notes, where the browser prints before they were read', async () => {
  mount([{ path: '/', element: sheet }], '/');
  await screen.findByText(/are missing here: print with “Print…”/);
});

it('says that pinned notes could not be read, where they were asked for', async () => {
  const { client, router } = mount(
    [
      { path: '/', element: null },
      { path: '/sheet', element: sheet },
    ],
    '/',
  );
  const { queryKey } = pinnedNotesQuery('b', ['zoe']);
  await client.prefetchQuery({ queryKey, queryFn: () => Promise.reject(new Error('Gone.')) });
  await router.navigate('/sheet');
  await screen.findByText(/are missing here: they could not be read/);
});
