import { lazy, Suspense, useSyncExternalStore } from 'react';
import { matchRoutes } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { answers } from './api/answers';
import { afterwards } from './api/warm';
import { isId, paths } from './paths';
import { pageTemplate } from './reports/page-template';
import { createRouter } from './router';
import { cspNonce, runtime } from './runtime';
import { announceSession } from './session/announce';
import { session } from './session/current';
import { followSystemColours } from './ui/colour-mode';
import { UiProvider } from './ui/provider';
import { sessionToasts, toasts } from './ui/toasts';
import { undos } from './ui/undos';

const nonce = cspNonce();
const router = createRouter();

followSystemColours();
announceSession({
  session,
  answers,
  toasts: sessionToasts,
  screenToasts: toasts,
  undos,
  startOver: () => window.location.assign(paths.root),
});

const { vitals, traces } = runtime().reports;
if (vitals || traces)
  void afterwards(() => import('./reports/start')).then(({ startReports }) =>
    startReports((url) =>
      pageTemplate(matchRoutes([...router.routes], new URL(url, location.href).pathname) ?? []),
    ),
  );

void afterwards(() => import('./reports/note')).then(({ notePages }) =>
  notePages(
    () => {
      const { matches, location } = router.state;
      const chosen = new URLSearchParams(location.search).get('business') ?? undefined;
      const businessId = matches.at(-1)?.params.businessId ?? chosen;
      return { businessId: isId(businessId) ? businessId : undefined, page: pageTemplate(matches) };
    },
    (changed) => void router.subscribe(({ navigation }) => navigation.state === 'idle' && changed()),
  ),
);

/** A production build lacks even the module. */
const QueryDevtools =
  import.meta.env.MODE === 'production' ? null : lazy(() => import('./dev-panels/query-devtools'));

const started = () => router.state.initialized;

/** How long the first page's code and reads, mostly under way already, are waited for before a placeholder is drawn. */
const FIRST_PAGE_MS = 600;

/** Resolves once there is a page to draw, or one to stand in for it. */
export function firstPage(): Promise<void> {
  if (started()) return Promise.resolve();
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, FIRST_PAGE_MS);
    const forget = router.subscribe(() => {
      if (!started()) return;
      clearTimeout(patience);
      forget();
      resolve();
    });
  });
}

export function App() {
  const stands = useSyncExternalStore(router.subscribe, started);
  return (
    <UiProvider nonce={nonce}>
      {/* Before the first page there is nothing to keep alive while it is drawn: it is drawn in one go. */}
      <RouterProvider router={router} useTransitions={stands ? undefined : false} />
      {QueryDevtools && runtime().environment !== 'production' && (
        <Suspense>
          <QueryDevtools />
        </Suspense>
      )}
    </UiProvider>
  );
}
