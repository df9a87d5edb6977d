// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useRef, useState } from 'react';
import { createMemoryRouter, Link, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork } from '../testing/mount';
import { UiProvider } from '../ui/provider';

const state = vi.hoisted((): { user: object | null } => ({
  user: { id: 'olivia', email: 'olivia@demo.test' },
}));
vi.mock('../session/current', () => ({ session: { state } }));

const { LeaveGuard } = await import('./leave-guard');

function Form() {
  const [text, setText] = useState('');
  const leaving = useRef(false);
  return (
    <>
      <input aria-label="Prompt" value={text} onChange={(event) => setText(event.target.value)} />
      <Link to="/calls">Calls</Link>
      <Link to="/agent?replay=1">Replay</Link>
      <Link to="/agent?tab=hours">Hours</Link>
      <Link to="/agent?step=team">Team</Link>
      <Link
        to="/calls"
        onClick={() => {
          leaving.current = true;
        }}
      >
        Cancel
      </Link>
      {text !== '' && <LeaveGuard leaving={leaving} />}
    </>
  );
}

function open() {
  const routes = [
    { path: '/agent', element: <Form /> },
    { path: '/calls', element: <p>the calls</p> },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ['/agent'] });
  render(
    <UiProvider nonce={undefined}>
      <RouterProvider router={router} />
    </UiProvider>,
  );
  return router;
}

const go = (name: string) => fireEvent.click(screen.getByRole('link', { name }));
const type = (text: string) => fireEvent.change(screen.getByLabelText('Prompt'), { target: { value: text } });

beforeEach(() => {
  fillJsdomGaps();
  dialogsWork();
  state.user = { id: 'olivia', email: 'olivia@demo.test' };
});
afterEach(cleanup);

it('asks before what was typed is lost, and keeps it or leaves as it is told', async () => {
  open();
  type('Be brief.');
  go('Calls');
  await screen.findByText('What you typed or chose here would be lost.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.getByLabelText('Prompt')).toHaveProperty('value', 'Be brief.');
  go('Calls');
  fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await screen.findByText('the calls');
});

it('asks before another tab of the page, and not before what opens beside the form', async () => {
  const router = open();
  type('Be brief.');
  go('Replay');
  expect(router.state.location.search).toBe('?replay=1');
  go('Hours');
  await screen.findByText('What you typed or chose here would be lost.');
  expect(router.state.location.search).toBe('?replay=1');
});

it('asks before another step, and not where the page says that it is done', async () => {
  const router = open();
  type('Be brief.');
  go('Team');
  await screen.findByText('What you typed or chose here would be lost.');
  fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(router.state.location.search).toBe('');
  go('Cancel');
  await screen.findByText('the calls');
});

it('asks nothing where nothing was typed, or no one is signed in', async () => {
  open();
  go('Calls');
  await screen.findByText('the calls');
  cleanup();
  open();
  type('Be brief.');
  state.user = null;
  go('Calls');
  await screen.findByText('the calls');
});

it('lets the browser ask before the page is left, unless its user is gone or another', () => {
  open();
  const asks = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(asks()).toBe(false);
  type('Be brief.');
  expect(asks()).toBe(true);
  state.user = { id: 'ben', email: 'ben@demo.test' };
  expect(asks()).toBe(false);
  state.user = null;
  expect(asks()).toBe(false);
});
