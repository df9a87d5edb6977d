// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { Component, type ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fetchedAhead } from './fetched-ahead';

// The first page is never shown here: what is used fetches itself.
vi.mock('./warm', () => ({ afterwards: () => new Promise(() => undefined) }));

afterEach(cleanup);

const Greeting = ({ name }: { name: string }) => <p>Good morning, {name}</p>;

class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };
  static getDerivedStateFromError = () => ({ failed: true });
  override render() {
    return this.state.failed ? <p>It failed</p> : this.props.children;
  }
}

describe('a component fetched ahead', () => {
  it('is shown as soon as its file is here, and at once from then on', async () => {
    const load = vi.fn(() => Promise.resolve(Greeting));
    const Fetched = fetchedAhead(load);
    const { unmount } = render(<Fetched name="Ana" />);
    await screen.findByText('Good morning, Ana');
    unmount();
    render(<Fetched name="Ben" />);
    expect(screen.getByText('Good morning, Ben')).toBeTruthy();
    expect(load).toHaveBeenCalledOnce();
  });

  it('has its place held until its file is here', async () => {
    const Fetched = fetchedAhead(() => Promise.resolve(Greeting), <p>Loading</p>);
    render(<Fetched name="Ana" />);
    expect(screen.getByText('Loading')).toBeTruthy();
    await screen.findByText('Good morning, Ana');
    expect(screen.queryByText('Loading')).toBeNull();
  });

  it('has a component in its place that is told the same', async () => {
    const Waiting = ({ name }: { name: string }) => <p>Fetching the greeting of {name}</p>;
    const Fetched = fetchedAhead(() => Promise.resolve(Greeting), Waiting);
    render(<Fetched name="Ana" />);
    expect(screen.getByText('Fetching the greeting of Ana')).toBeTruthy();
    await screen.findByText('Good morning, Ana');
  });

  it('reports a file that can’t be fetched, and asks for it again at the next use', async () => {
    vi.spyOn(console, 'error').mockReturnValue();
    const load = vi.fn(() => Promise.resolve(Greeting)).mockRejectedValueOnce(new Error('offline'));
    const Fetched = fetchedAhead(load);
    const { unmount } = render(<Fetched name="Ana" />, { wrapper: Boundary });
    await screen.findByText('It failed');
    unmount();
    render(<Fetched name="Ana" />, { wrapper: Boundary });
    await screen.findByText('Good morning, Ana');
  });
});
