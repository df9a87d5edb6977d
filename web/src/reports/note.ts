import { tabSessionId } from '../http/headers';
import { session, tabStorage } from '../session/current';
import { ProductEvents } from './product-events';
import { send } from './send';

const FLUSH_EVERY_MS = 15_000;

/** What people do on this page. */
export const productEvents = new ProductEvents({
  tabId: tabSessionId(tabStorage),
  signedIn: () => session.token !== null,
  now: () => performance.now(),
  send: ({ businessId, ...body }) => send({ path: `/v1/businesses/${businessId}/product-events`, body }),
});

type Place = { businessId: string | undefined; page: string };

/** Notes each page that is opened from now on, and sends what is noted. */
export function notePages(here: () => Place, subscribe: (changed: () => void) => void): void {
  let last = '';
  const opened = () => {
    const { businessId, page } = here();
    if (!businessId || `${businessId} ${page}` === last) return;
    last = `${businessId} ${page}`;
    productEvents.note('PAGE_OPENED', businessId, page);
  };
  opened();
  subscribe(opened);
  setInterval(() => void productEvents.flush(), FLUSH_EVERY_MS);
  // A page may not come back.
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') void productEvents.flush();
  });
}
