import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../testing/fake-clock';
import { CLEANUP_MS, limitEntries, MAX_ENTRIES, TTL_MS } from './query-limits';

let clock: FakeClock;
let client: QueryClient;

beforeEach(() => {
  clock = new FakeClock();
  client = new QueryClient({ defaultOptions: { queries: { gcTime: Number.POSITIVE_INFINITY } } });
});

const answer = (key: string, updatedAt = clock.now()) => client.setQueryData([key], key, { updatedAt });
const has = (key: string) => client.getQueryCache().find({ queryKey: [key] }) !== undefined;
const size = () => client.getQueryCache().getAll().length;

describe('the client cache', () => {
  it('holds five hundred answers for five minutes and cleans every minute', () => {
    expect([MAX_ENTRIES, TTL_MS, CLEANUP_MS]).toEqual([500, 300_000, 60_000]);
  });

  it('lets the oldest go for the five hundred and first', () => {
    limitEntries(client.getQueryCache(), clock);
    for (let n = 0; n < MAX_ENTRIES; n += 1) answer(`${n}`, clock.now() + n);
    expect(size()).toBe(MAX_ENTRIES);
    answer('0', clock.now() + MAX_ENTRIES);
    answer('new', clock.now() + MAX_ENTRIES + 1);
    expect(size()).toBe(MAX_ENTRIES);
    expect([has('0'), has('1'), has('2'), has('new')]).toEqual([true, false, true, true]);
  });

  it('removes what is five minutes old at the next cleaning, not before', () => {
    limitEntries(client.getQueryCache(), clock);
    answer('early');
    clock.advance(30_000);
    answer('late');
    clock.advance(TTL_MS - 30_000 - 1);
    expect(has('early')).toBe(true);
    clock.advance(1);
    expect([has('early'), has('late')]).toEqual([false, true]);
    clock.advance(CLEANUP_MS);
    expect(has('late')).toBe(false);
  });

  it('keeps what a screen shows, however old and however many', () => {
    limitEntries(client.getQueryCache(), clock);
    const shown = Array.from({ length: MAX_ENTRIES + 5 }, (_, n) => {
      answer(`${n}`);
      const observer = new QueryObserver(client, { queryKey: [`${n}`], enabled: false });
      return observer.subscribe(() => undefined);
    });
    clock.advance(TTL_MS + CLEANUP_MS);
    expect(size()).toBe(MAX_ENTRIES + 5);
    for (const leave of shown) leave();
    clock.advance(CLEANUP_MS);
    expect(size()).toBe(0);
  });

  it('keeps what is still on its way', async () => {
    limitEntries(client.getQueryCache(), clock);
    let arrive: (value: string) => void = () => undefined;
    const arriving = client.fetchQuery({
      queryKey: ['slow'],
      queryFn: () => new Promise<string>((resolve) => (arrive = resolve)),
    });
    clock.advance(TTL_MS + CLEANUP_MS);
    expect(has('slow')).toBe(true);
    arrive('here');
    await expect(arriving).resolves.toBe('here');
  });

  it('stops on request', () => {
    const stop = limitEntries(client.getQueryCache(), clock);
    answer('kept');
    stop();
    expect(clock.waiting).toBe(0);
    for (let n = 0; n < MAX_ENTRIES; n += 1) answer(`${n}`);
    expect(size()).toBe(MAX_ENTRIES + 1);
  });
});
