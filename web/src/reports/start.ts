import { onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';
import { runtime } from '../runtime';
import { requestSpans, session } from '../session/current';
import { PageReporter } from './page-reporter';
import { send } from './send';

const FLUSH_EVERY_MS = 15_000;

/** Measures this page from now on, and what the browser has noted before. */
export function startReports(pageAt: (url: string) => string): void {
  const reporter = new PageReporter({
    spans: requestSpans,
    pageAt,
    loadedFrom: performance.getEntriesByType('navigation')[0]?.name ?? location.href,
    signedIn: () => session.token !== null,
    now: () => performance.now(),
    send: (body) => send({ path: '/v1/page-reports', body }),
  });
  if (runtime().reports.vitals) {
    const keep = (vital: Parameters<PageReporter['keep']>[0]) => reporter.keep(vital);
    const withinDocument = { reportSoftNavs: true };
    onTTFB(keep);
    for (const measure of [onFCP, onLCP, onINP, onCLS]) measure(keep, withinDocument);
  }
  setInterval(() => void reporter.flush(), FLUSH_EVERY_MS);
  // After the measurements' own listeners, which decide on their values then. A page may not come back.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void reporter.flush();
  });
}
