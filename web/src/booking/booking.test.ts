import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { type Offer, OfferSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import {
  addGuest,
  addWish,
  changeWish,
  type Draft,
  isSearchable,
  itemsOf,
  newDraft,
  removeGuest,
  removeWish,
  visitsOf,
  wish,
} from './draft';
import { isSamePlace, pinned, ranked, reasonsOf, withFirst } from './offers';

const services = [
  create(ServiceSchema, {
    id: 'cut',
    employeeIds: ['maya', 'tom'],
    segments: [{ minutes: 45 }],
    overrides: [{ employeeId: 'maya', segmentMinutes: [20] }],
  }),
  create(ServiceSchema, { id: 'colour', employeeIds: ['maya', 'ana'] }),
];

const draft = (...wishes: [service: string, employee?: string][]): Draft => ({
  ...newDraft('2026-06-02', null, ''),
  guests: [wishes.map(([service, employee]) => wish(service, employee))],
});

function offer(
  minute: number,
  placed: [service: string, employee: string, guest?: number, extra?: number][],
  lost = 0,
): Offer {
  return create(OfferSchema, {
    startsAt: timestampFromDate(new Date(Date.UTC(2026, 5, 2, 8, minute))),
    lostMinutes: lost,
    items: placed.map(([serviceId, employeeId, guest = 0, extraMinutes = 0]) => ({
      serviceId,
      employeeId,
      guest,
      extraMinutes,
    })),
  });
}

describe('what is to be booked', () => {
  it('keeps within one to six services and one to eight guests', () => {
    let full = draft(['cut']);
    for (let time = 0; time < 9; time += 1) full = addGuest(addWish(full, 0));
    expect([full.guests.length, full.guests[0]?.length]).toEqual([8, 6]);
    const [first] = draft(['cut']).guests[0] ?? [];
    const one = draft(['cut']);
    expect(removeWish(one, 0, first?.key ?? 0).guests[0]).toHaveLength(1);
    expect(removeGuest(one, 0).guests).toHaveLength(1);
  });

  it('names for an added service who does the one before, unless they do not do it', () => {
    const added = addWish(draft(['cut', 'tom']), 0);
    const line = added.guests[0]?.[1] ?? wish();
    expect(line.employeeId).toBe('tom');
    const chosen = (serviceId: string) =>
      changeWish(added, 0, { ...line, serviceId }, services).guests[0]?.[1]?.employeeId;
    expect([chosen('cut'), chosen('colour')]).toEqual(['tom', '']);
  });

  it('gives a new guest what the last one has, by anyone', () => {
    const two = addGuest(draft(['cut', 'tom'], ['colour']));
    expect(itemsOf(two).map(({ serviceId, guest }) => [serviceId, guest])).toEqual([
      ['cut', 0],
      ['colour', 0],
      ['cut', 1],
      ['colour', 1],
    ]);
    expect(two.guests[1]?.every(({ employeeId }) => employeeId === '')).toBe(true);
  });

  it('drops an employee who does not do the newly chosen service', () => {
    const before = draft(['cut', 'tom']);
    const [line] = before.guests[0] ?? [];
    const after = changeWish(before, 0, { ...(line ?? wish()), serviceId: 'colour' }, services);
    expect(itemsOf(after)).toEqual([
      {
        serviceId: 'colour',
        employeeId: '',
        preferredEmployeeId: '',
        employeeOnly: false,
        guest: 0,
        extraMinutes: 0,
      },
    ]);
  });

  it('keeps a custom length while the service stays and the length suits the employee', () => {
    const before = draft(['cut', 'tom']);
    const [line = wish()] = before.guests[0] ?? [];
    const longer = changeWish(before, 0, { ...line, extraMinutes: 15 }, services);
    const extras = (of: Draft) => itemsOf(of).map(({ extraMinutes }) => extraMinutes);
    const [kept = wish()] = longer.guests[0] ?? [];
    expect(extras(longer)).toEqual([15]);
    expect(extras(changeWish(longer, 0, { ...kept, employeeId: 'maya' }, services))).toEqual([15]);
    expect(extras(changeWish(longer, 0, { ...kept, serviceId: 'colour' }, services))).toEqual([0]);
    const shorter = { ...line, extraMinutes: -20 };
    expect(extras(changeWish(before, 0, shorter, services))).toEqual([-20]);
    expect(extras(changeWish(before, 0, { ...shorter, employeeId: 'maya' }, services))).toEqual([0]);
  });

  it('can be searched once every service is chosen', () => {
    expect([draft(['cut']), draft(['cut'], [''])].map(isSearchable)).toEqual([true, false]);
  });

  it('names an employee as preferred, or as required', () => {
    const preferred = draft(['cut', 'tom']);
    expect(itemsOf(preferred)[0]).toMatchObject({ employeeId: '', preferredEmployeeId: 'tom' });
    const only = { employeeId: 'tom', preferredEmployeeId: '', employeeOnly: true };
    expect(itemsOf({ ...preferred, stylist: 'only' })[0]).toMatchObject(only);
    const [line = wish()] = preferred.guests[0] ?? [];
    const locked: Draft = { ...preferred, stylist: 'any', guests: [[{ ...line, locked: true }]] };
    expect(itemsOf(locked)[0]).toMatchObject(only);
    expect(itemsOf({ ...draft(['cut']), stylist: 'only' })[0]).toMatchObject({ employeeOnly: false });
  });

  it('has no wish of the customer in a column that was clicked', () => {
    expect(newDraft('2026-06-02', 600, 'tom').stylist).toBe('any');
    expect(newDraft('2026-06-02', 600, '').stylist).toBe('prefers');
  });

  it('by one employee is a visit per employee who does all of it', () => {
    const same: Draft = { ...draft(['cut'], ['colour']), hands: 'same' };
    expect(visitsOf(same, services).map((items) => items.map(({ employeeId }) => employeeId))).toEqual([
      ['maya', 'maya'],
    ]);
    expect(visitsOf({ ...same, hands: 'any' }, services)).toHaveLength(1);
    expect(visitsOf(addGuest(same), services)).toHaveLength(1);
  });

  it('by different employees is a visit per way to share it', () => {
    const different: Draft = { ...draft(['cut'], ['colour']), hands: 'different' };
    const ways = (of: Draft) =>
      visitsOf(of, services).map((items) => items.map(({ employeeId }) => employeeId));
    expect(ways(different)).toEqual([
      ['maya', 'ana'],
      ['tom', 'maya'],
      ['tom', 'ana'],
    ]);
    expect(ways({ ...draft(['cut', 'maya'], ['colour']), hands: 'different' })).toEqual([['maya', 'ana']]);
  });
});

describe('offers', () => {
  it('of one search keep the order of the engine', () => {
    const offers = [offer(30, []), offer(0, [], 15)];
    expect(ranked([offers])).toEqual(offers);
  });

  it('of several searches come once each, with the least waste first', () => {
    const [wasteful, tidy, later] = [offer(0, [], 30), offer(0, [], 5), offer(15, [], 0)];
    expect(ranked([[wasteful], [tidy, later]])).toEqual([later, tidy]);
  });

  it('are held with the employees shown, in the order of the request', () => {
    const items = itemsOf(addGuest(draft(['cut', 'tom'], ['colour'])));
    const placed = offer(0, [
      ['colour', 'maya', 1],
      ['cut', 'tom', 0],
      ['colour', 'ana', 0],
      ['cut', 'maya', 1],
    ]);
    const held = pinned(items, placed, 'any').map(({ employeeId }) => employeeId);
    expect(held).toEqual(['tom', 'ana', 'maya', 'maya']);
  });

  it('are held with the employee shown for each length of the same service', () => {
    const [short = wish(), long = wish()] = draft(['cut'], ['cut']).guests[0] ?? [];
    const items = itemsOf({ ...draft(), guests: [[short, { ...long, extraMinutes: 15 }]] });
    const placed = offer(0, [
      ['cut', 'maya', 0, 15],
      ['cut', 'tom', 0],
    ]);
    expect(pinned(items, placed, 'any').map(({ employeeId }) => employeeId)).toEqual(['tom', 'maya']);
  });

  it('are held with the preference of the customer, and not with one of the page', () => {
    const items = itemsOf(draft(['cut', 'tom']));
    const placed = offer(0, [['cut', 'maya']]);
    const preferred = (stylist: 'any' | 'prefers') => pinned(items, placed, stylist)[0];
    expect(preferred('prefers')).toMatchObject({ employeeId: 'maya', preferredEmployeeId: 'tom' });
    expect(preferred('any')).toMatchObject({ employeeId: 'maya', preferredEmployeeId: '' });
  });

  it('of a visit that moves leave out where it is', () => {
    const { startsAt } = offer(15, []);
    const visit = create(AppointmentSchema, {
      ...(startsAt && { startsAt }),
      items: [{ serviceId: 'cut', employeeId: 'tom' }],
    });
    expect(isSamePlace(visit, offer(15, [['cut', 'tom']]))).toBe(true);
    expect(isSamePlace(visit, offer(15, [['cut', 'maya']]))).toBe(false);
    expect(isSamePlace(visit, offer(30, [['cut', 'tom']]))).toBe(false);
  });

  it('put the requested start first, once', () => {
    const [early, late] = [offer(0, []), offer(15, [])];
    expect(withFirst([early, late], offer(15, [['cut', 'tom']])).map(({ items }) => items.length)).toEqual([
      1, 0,
    ]);
  });

  it('say why they are ranked so', () => {
    const items = itemsOf(draft(['cut', 'tom']));
    const [asked, other] = [offer(0, [['cut', 'tom']], 10), offer(15, [['cut', 'maya']])];
    expect(reasonsOf(asked, items, [asked, other])).toEqual([
      'As preferred',
      'Earliest',
      'Leaves 10 min unused',
    ]);
    expect(reasonsOf(other, items, [asked, other])).toEqual(['Different employee', 'Leaves no gap']);
  });
});
