import { describe, expect, it, vi } from 'vitest';
import type { RequestSpan } from '../http/request-spans';
import { type PageReport, PageReporter, type Vital } from './page-reporter';

const LCP: Vital = { id: 'v6-1', name: 'LCP', value: 1234.56789, navigationType: 'navigate' };

function setUp({ signedIn = true, spans = [] as RequestSpan[] } = {}) {
  const sent: PageReport[] = [];
  const state = { signedIn };
  const send = vi.fn(async (report: PageReport) => {
    sent.push(report);
  });
  const reporter = new PageReporter({
    spans: { take: () => spans.splice(0) },
    pageAt: (url) => `page of ${url}`,
    loadedFrom: '/login',
    signedIn: () => state.signedIn,
    now: () => 700_000,
    send,
  });
  return { reporter, sent, send, state };
}

describe('a page’s report', () => {
  it('says each vital once, of the page that it is about', async () => {
    const { reporter, sent } = setUp();
    reporter.keep(LCP);
    reporter.keep({ ...LCP, value: 9999 });
    const soft = { navigationType: 'soft-navigation', navigationURL: '/b1/schedule' };
    reporter.keep({ ...LCP, id: 'v6-2', ...soft });
    reporter.keep({ ...LCP, id: 'v6-3', name: 'TTFB', value: 0, ...soft });
    await reporter.flush();
    await reporter.flush();
    expect(sent).toEqual([
      {
        vitals: [
          { name: 'LCP', page: 'page of /login', navigation: 'document', value: 1234.568 },
          { name: 'LCP', page: 'page of /b1/schedule', navigation: 'soft', value: 1234.568 },
        ],
        requests: [],
      },
    ]);
  });

  it('waits for a session, and then carries what was measured before', async () => {
    const { reporter, sent, state } = setUp({ signedIn: false });
    reporter.keep(LCP);
    await reporter.flush();
    expect(sent).toEqual([]);
    state.signedIn = true;
    await reporter.flush();
    expect(sent).toHaveLength(1);
  });

  it('tells how long ago a request was sent, and leaves out those of long ago', async () => {
    const span = { traceparent: '00-a-b-01', method: 'GET', route: '/api/auth/me', status: 200 } as const;
    const { reporter, sent } = setUp({
      spans: [
        { ...span, sentAt: 1000, durationMs: 20 },
        { ...span, sentAt: 699_000.4, durationMs: 20.4 },
      ],
    });
    await reporter.flush();
    expect(sent[0]?.requests).toEqual([{ ...span, ageMs: 1000, durationMs: 20 }]);
  });

  it('is lost where it does not arrive, and holds no more than the door takes', async () => {
    const { reporter, send, sent } = setUp();
    send.mockRejectedValueOnce(new Error('unreachable'));
    reporter.keep(LCP);
    await reporter.flush();
    for (let n = 0; n < 50; n += 1) reporter.keep({ ...LCP, id: `v7-${n}` });
    await reporter.flush();
    expect(sent.map(({ vitals }) => vitals.length)).toEqual([40]);
  });
});
