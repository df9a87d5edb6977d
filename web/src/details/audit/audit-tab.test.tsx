// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { FieldChangeSchema } from '../../gen/frontdesk/tenancy/v1/audit_pb';
import { mount } from '../../testing/mount';

vi.mock('../../session/current', () => ({ api: vi.fn() }));

const { Values } = await import('./audit-tab');

const read = { zone: 'Europe/London', currency: 'GBP', names: new Map() };
const texts = () => screen.queryAllByText(/^Value/).map(({ textContent }) => textContent);

function show(count: number, replaced = -1) {
  const changes = Array.from({ length: count }, (_, index) =>
    create(FieldChangeSchema, {
      field: `value${index}`,
      before: index === replaced ? JSON.stringify('w') : '',
      after: JSON.stringify('x'),
    }),
  );
  mount([{ path: '/', element: <Values changes={changes} read={read} /> }], '/');
}

afterEach(cleanup);

it('a change of a few values shows all of them', () => {
  show(5);
  expect(texts()).toHaveLength(5);
  expect(screen.queryByRole('button')).toBeNull();
});

it('a new record begins with a few of its values, and shows all on demand', () => {
  show(11);
  expect(texts()).toHaveLength(4);
  const button = screen.getByRole('button', { name: 'Show all 11 values' });
  fireEvent.click(button);
  expect(texts()).toHaveLength(11);
  // It stays under the focus, and leads back.
  expect(button.textContent).toBe('Show fewer values');
  fireEvent.click(button);
  expect(texts()).toHaveLength(4);
});

it('a value in place of another is among the first', () => {
  show(11, 9);
  expect(texts()[0]).toMatch(/w → x$/);
  expect(texts()).toHaveLength(4);
});
