// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListMyMembershipsResponseSchema } from '../gen/frontdesk/auth/v1/account_pb';
import type { Outgoing } from '../http/transport';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
const [FIRST, LAST] = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-0000000000c9'];
vi.mock('../session/current', () => ({
  api,
  session: {
    state: {
      user: {
        id: 'u1',
        name: 'Mia',
        email: 'mia@example.com',
        role: 'OWNER',
        provider: 'email',
        businessIds: ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-0000000000c9'],
      },
    },
    subscribe: () => () => undefined,
    onEnd: () => () => undefined,
  },
  tabStorage: undefined,
}));

const { useBusinessRole } = await import('./queries');

beforeEach(() => {
  api.mockReset().mockImplementation(async ({ query }) => {
    const isSecond = query?.get('pageToken') === 'more';
    const page = {
      memberships: [{ businessId: isSecond ? LAST : FIRST, role: isSecond ? 'EMPLOYEE' : 'OWNER' }],
      nextPageToken: isSecond ? '' : 'more',
    };
    return toJson(ListMyMembershipsResponseSchema, create(ListMyMembershipsResponseSchema, page));
  });
});
afterEach(cleanup);

it('knows the role in a business that is not on the first page of the person’s own', async () => {
  const Role = () => {
    const here = useBusinessRole(LAST);
    return <p>{here.kind === 'member' ? here.role : here.kind}</p>;
  };
  mount([{ path: '/', Component: Role }], '/');
  await screen.findByText('EMPLOYEE');
  expect(api).toHaveBeenCalledTimes(2);
});
