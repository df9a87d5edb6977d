// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ListEmployeesResponseSchema } from '../gen/frontdesk/tenancy/v1/employee_pb';
import type { Outgoing } from '../http/transport';
import { mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { useEmployeeNames } = await import('./use-employees');

const BUSINESS = '01900000-0000-7000-8000-000000000001';
const [MIA, TOM] = ['mia', 'tom'];

function shown(...ids: string[]) {
  const Names = () => {
    const names = useEmployeeNames(BUSINESS, ids);
    return <p>{ids.map((id) => names.get(id) ?? 'An employee').join(', ')}</p>;
  };
  mount([{ path: '/', Component: Names }], '/');
}

const reads = () => api.mock.calls.map(([{ query }]) => query?.get('former') === 'true');

beforeEach(() => {
  api.mockReset().mockImplementation(async ({ query }) => {
    const former = query?.get('former') === 'true';
    const employees = [former ? { id: TOM, name: 'Tom Reed' } : { id: MIA, name: 'Mia Larsen' }];
    return toJson(ListEmployeesResponseSchema, create(ListEmployeesResponseSchema, { employees }));
  });
});
afterEach(cleanup);

it('names an employee who left', async () => {
  shown(MIA, TOM);
  await screen.findByText('Mia Larsen, Tom Reed');
});

it('reads those who left only where one of them is named', async () => {
  shown(MIA, '');
  await screen.findByText('Mia Larsen, An employee');
  expect(reads()).toEqual([false]);
});
