// @vitest-environment jsdom
import { create, type MessageInitShape, toJson } from '@bufbuild/protobuf';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  ListProviderRecordsResponseSchema,
  MapProviderRecordResponseSchema,
  ProviderConnectionSchema,
  ProviderRecordKind,
  type ProviderRecordSchema,
} from '../gen/frontdesk/calendarsync/v1/provider_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({
  api,
  session: { state: {}, subscribe: () => () => undefined, onEnd: () => () => undefined },
  tabStorage: undefined,
}));

const { Mapping } = await import('./mapping');

const BASE = '/v1/businesses/b1';
const kind = ProviderRecordKind.EMPLOYEE;
const own = [{ kind, id: 'e1', name: 'Sofia' }];
const mia = { kind, externalId: 'P1', name: 'Mia', mappedId: 'e1', calendarId: 'c1' };
const sent = (verb: string, path: string) =>
  api.mock.calls.map(([request]) => request).filter((one) => one.verb === verb && one.path === BASE + path);

function open(record: MessageInitShape<typeof ProviderRecordSchema>) {
  const connection = create(ProviderConnectionSchema, { id: 'p1', label: 'Front desk' });
  const found = create(ListProviderRecordsResponseSchema, { records: [record], own });
  mount([{ path: '/', element: <Mapping businessId="b1" connection={connection} found={found} /> }], '/');
}
const choice = () => screen.getByRole('combobox', { name: 'Who or what Mia is here' });

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  api
    .mockReset()
    .mockResolvedValue(toJson(MapProviderRecordResponseSchema, create(MapProviderRecordResponseSchema)));
});
afterEach(cleanup);

it('asks what becomes of what was written for an employee who is mapped to none, and cancels nothing unasked', async () => {
  open({ ...mia, writtenCount: 2 });
  fireEvent.change(choice(), { target: { value: '' } });
  const dialog = within(await screen.findByRole('dialog', { name: 'Map Mia to none?' }));
  expect(api).not.toHaveBeenCalled();
  const box = dialog.getByRole('checkbox', {
    name: 'Cancel there the 2 upcoming appointments that Frontdesk wrote',
  });
  expect(box).toHaveProperty('checked', false);
  fireEvent.click(box);
  dialog.getByText(/Front desk may write to customers/);
  fireEvent.click(dialog.getByRole('button', { name: 'Map to none' }));
  const path = '/provider-connections/p1/records:map';
  await waitFor(() => expect(sent('POST', path)).toHaveLength(1));
  expect(sent('POST', path)[0]?.body).toMatchObject({ externalId: 'P1', takeOut: true });
});

it('asks nothing where nothing was written', async () => {
  open(mia);
  fireEvent.change(choice(), { target: { value: '' } });
  await waitFor(() => expect(api).toHaveBeenCalled());
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('says how far cancelling is, and offers no other employee until it is done', async () => {
  const fault = 'the booking system did not answer';
  open({ ...mia, mappedId: '', suggestedId: 'e1', cleanup: { eventCount: 3, leftCount: 2, fault } });
  expect(choice()).toHaveProperty('disabled', true);
  expect(screen.queryByRole('button', { name: /^Map to/ })).toBeNull();
  screen.getByText(/2 appointments are still there: The booking system did not answer\./);
  fireEvent.click(screen.getByRole('button', { name: /^Try again/ }));
  await waitFor(() => expect(sent('DELETE', '/calendars/c1')[0]?.query?.get('takeOut')).toBe('true'));
  fireEvent.click(await screen.findByRole('button', { name: /^Leave them there/ }));
  await waitFor(() => expect(sent('DELETE', '/calendars/c1')).toHaveLength(2));
  fireEvent.click(await screen.findByRole('button', { name: /^Map again/ }));
  await waitFor(() => expect(sent('POST', '/calendars/c1:keep')).toHaveLength(1));
});

it('says how many are mapped while all are', async () => {
  let go = () => {};
  api
    .mockImplementationOnce(async () => ({}))
    .mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          go = () => resolve({});
        }),
    );
  const connection = create(ProviderConnectionSchema, { id: 'p1', label: 'Front desk' });
  const records = [
    { kind, externalId: 'P1', name: 'Sofia', suggestedId: 'e1' },
    { kind, externalId: 'P2', name: 'Noah', suggestedId: 'e2' },
  ];
  const found = create(ListProviderRecordsResponseSchema, {
    records,
    own: [...own, { kind, id: 'e2', name: 'Noah' }],
  });
  mount([{ path: '/', element: <Mapping businessId="b1" connection={connection} found={found} /> }], '/');
  fireEvent.click(await screen.findByRole('button', { name: 'Map all 2 as suggested' }));
  await screen.findByText('1 of 2 are mapped.');
  go();
  await screen.findByText('Appointments of a mapped employee are kept in step from then on.');
});
