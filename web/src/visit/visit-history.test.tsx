// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { mount } from '../testing/mount';
import { VisitHistory } from './visit-history';

const shown = async (count: number) => {
  const entries = Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.UTC(2026, 5, 30 - index)),
    by: 'agent:1',
    text: `Change ${count - index}`,
  }));
  const Component = () => <VisitHistory entries={entries} employees={[]} userId="me" zone="Europe/London" />;
  mount([{ path: '/', Component }], '/');
  return within(await screen.findByRole('list', { name: 'History' }));
};

afterEach(cleanup);

describe('the history of a visit', () => {
  it('shows a short past whole', async () => {
    expect((await shown(6)).getAllByRole('listitem')).toHaveLength(6);
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('begins with the latest of a long past, and shows all on demand', async () => {
    const list = await shown(19);
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      expect.stringContaining('Change 19'),
      expect.stringContaining('Change 18'),
      expect.stringContaining('Change 17'),
      expect.stringContaining('Change 16'),
      expect.stringContaining('Change 15'),
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Show all 19 entries' }));
    expect(list.getAllByRole('listitem')).toHaveLength(19);
  });
});
