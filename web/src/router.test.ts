// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import type { RouteObject } from 'react-router';
import { beforeAll, expect, it } from 'vitest';
import type { RouteHandle } from './layout/crumbs';

type Address = { path: string; roles: readonly string[] | undefined; asksWho: boolean; isNamed: boolean };

/** Every address of a tree of routes, with what its branch asks of people. */
function addressesOf(routes: RouteObject[], above: Address): Address[] {
  return routes.flatMap((route) => {
    const here: Address = {
      path: route.path?.startsWith('/') ? route.path : [above.path, route.path].filter(Boolean).join('/'),
      roles: (route.handle as RouteHandle | undefined)?.roles ?? above.roles,
      asksWho: above.asksWho || route.id === 'workplace',
      // A page that begins a branch goes by the branch's name.
      isNamed:
        (route.handle as RouteHandle | undefined)?.crumb !== undefined ||
        ((route.index || route.path === undefined) && above.isNamed),
    };
    return route.children ? addressesOf(route.children, here) : [here];
  });
}

let all: Address[];

beforeAll(async () => {
  const configuration = document.createElement('script');
  configuration.type = 'application/json';
  configuration.id = 'runtime-config';
  configuration.textContent = JSON.stringify({
    apiBaseUrl: '/api',
    webSocketUrl: '/ws',
    environment: 'development',
    renewalThresholdMs: 600_000,
    reports: { vitals: false, traces: false },
    version: 'test',
  });
  document.head.append(configuration);
  const { createRouter } = await import('./router');
  const router = createRouter();
  const nowhere = { path: '', roles: undefined, asksWho: false, isNamed: false };
  all = addressesOf(router.routes as RouteObject[], nowhere).map((address) => ({
    ...address,
    path: address.path.replace(/^\/*/, '/'),
  }));
  router.dispose();
}, 60_000);

it('every address of the admin area but the component library requires ADMIN', () => {
  const admin = all.filter(({ path }) => /^\/admin(\/|$)/.test(path) && path !== '/admin/components');
  expect(admin.map(({ path }) => path)).toEqual(expect.arrayContaining(['/admin', '/admin/businesses']));
  expect(admin.filter(({ roles, asksWho }) => roles?.[0] !== 'ADMIN' || !asksWho)).toEqual([]);
});

it('addresses of a business and of a person’s own stand behind the sign-in, for any role', () => {
  const own = all.filter(({ path }) => /^\/(my\/|:businessId)/.test(path));
  expect(own.length).toBeGreaterThan(4);
  expect(own.filter(({ roles, asksWho }) => roles !== undefined || !asksWho)).toEqual([]);
});

it('all others are public', () => {
  const open = all.filter(({ path }) => !/^\/(admin(\/|$)|my\/|:businessId)/.test(path));
  expect(open.filter(({ roles, asksWho }) => roles !== undefined || asksWho)).toEqual([]);
  expect(open.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/',
      '/login',
      '/register',
      '/forgot-password',
      '/reset-password',
      '/auth/callback',
    ]),
  );
});

it('every page behind the sign-in has a breadcrumb of its own', () => {
  expect(all.filter(({ asksWho, isNamed }) => asksWho && !isNamed).map(({ path }) => path)).toEqual([]);
});

it('the door knows every page that reports may name', () => {
  const known = readFileSync('../bff/src/browser/page_report/pages.txt', 'utf8').trim().split('\n');
  expect([...new Set(all.map(({ path }) => path))].sort()).toEqual(known);
});
