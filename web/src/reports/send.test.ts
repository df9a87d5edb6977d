// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createAuthorised } from '../http/authorised';
import type { Outgoing } from '../http/transport';

const transport = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<Response>>());
vi.mock('../session/current', () => ({
  transport,
  api: createAuthorised(transport, {
    readyToken: async () => 'old',
    renewAfterRefusal: async () => 'new',
  }),
  session: { token: 'old' },
  tabStorage: undefined,
}));

const { productEvents } = await import('./note');

const BUSINESS = '01900000-0000-7000-8000-000000000001';

beforeEach(() => {
  transport.mockReset();
  transport.mockImplementation(
    async ({ token }) => new Response(null, { status: token === 'new' ? 204 : 401 }),
  );
});

describe('what a page reports', () => {
  it('is sent again with a new token where the old one is refused', async () => {
    productEvents.note('PAGE_OPENED', BUSINESS, '/:businessId');
    await productEvents.flush();
    expect(transport.mock.calls.map(([{ path, token }]) => [path, token])).toEqual([
      [`/v1/businesses/${BUSINESS}/product-events`, 'old'],
      [`/v1/businesses/${BUSINESS}/product-events`, 'new'],
    ]);
  });

  it('waits for no token once the page is hidden, and outlives it', async () => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    productEvents.note('PAGE_OPENED', BUSINESS, '/:businessId');
    await productEvents.flush();
    expect(transport).toHaveBeenCalledTimes(1);
    expect(transport.mock.lastCall?.[0]).toMatchObject({ keepalive: true });
  });
});
