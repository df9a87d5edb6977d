// @vitest-environment jsdom
import { useQuery } from '@tanstack/react-query';
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { mount } from '../testing/mount';

vi.mock('../session/current', () => ({
  session: { state: { user: null }, subscribe: () => () => undefined },
}));

const { Reading } = await import('./reading');

const reads = { calls: vi.fn<() => Promise<string>>(), team: vi.fn<() => Promise<string>>() };

function Part({ name, page = false }: { name: keyof typeof reads; page?: boolean }) {
  const query = useQuery({ queryKey: [name], queryFn: reads[name] });
  return (
    <Reading query={query} what={`The ${name}`} page={page} skeleton={null}>
      {(text) => <p>{text}</p>}
    </Reading>
  );
}

afterEach(() => {
  cleanup();
  vi.clearAllMocks();
});

describe('a page of which several parts failed', () => {
  it('reloads all of them with one press, each once', async () => {
    for (const read of Object.values(reads)) read.mockRejectedValueOnce(new Error('Gone.'));
    reads.calls.mockResolvedValueOnce('Two calls');
    reads.team.mockResolvedValueOnce('Three people');
    mount(
      [
        {
          path: '/',
          element: (
            <>
              <Part name="calls" />
              <Part name="team" />
            </>
          ),
        },
      ],
      '/',
    );
    await screen.findByText('The team can’t be shown');
    const [first] = await screen.findAllByRole('button', { name: 'Try again' });
    fireEvent.click(first as HTMLElement);
    await screen.findByText('Two calls');
    await screen.findByText('Three people');
    expect([reads.calls, reads.team].map(({ mock }) => mock.calls.length)).toEqual([2, 2]);
  });
});

describe('a record that failed', () => {
  it('is the heading of its page', async () => {
    reads.calls.mockRejectedValueOnce(new Error('Gone.'));
    mount([{ path: '/', element: <Part name="calls" page /> }], '/');
    await screen.findByRole('heading', { level: 1, name: 'The calls can’t be shown' });
  });
});
