import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { EmployeeWish, OfferSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { visit } from '../testing/day-answer';
import {
  type Changing,
  changedItems,
  changing,
  employeesAfter,
  isChanged,
  isPlacedAnew,
  wishesText,
  wishOptions,
} from './change';
import { addWish, wish } from './draft';

const { UNSPECIFIED, PREFERS, ONLY } = EmployeeWish;

/** A cut with Ana alone, and a colour with Ben. */
function booked() {
  const { appointment } = visit('ada', [
    ['cut', 'ana', 600, 630],
    ['colour', 'ben', 630, 705],
  ]);
  if (!appointment) throw new Error('Ada has a visit.');
  const [cut] = appointment.items;
  if (cut) Object.assign(cut, { employeeWish: ONLY, wishedEmployeeId: 'ana', wishedEmployeeName: 'Ana' });
  return appointment;
}

const edited = (change: Changing, serviceId: string, employeeId: string): Changing => {
  const draft = addWish(change.draft, 0);
  const guests = draft.guests.map((wishes) =>
    wishes.map((line) => (line.serviceId === '' ? { ...wish(serviceId, employeeId), key: line.key } : line)),
  );
  return { ...change, draft: { ...draft, guests } };
};

const told = (items: ReturnType<typeof changedItems>) =>
  items.map(({ serviceId, employeeId, employeeWish, wishedEmployeeId }) =>
    [serviceId, employeeId, employeeWish, wishedEmployeeId].join(' '),
  );

it('a visit that is opened to be changed is not changed', () => {
  const appointment = booked();
  const items = changedItems(changing(appointment, '2026-06-02', 600), 'kept');
  expect(isPlacedAnew(appointment, items) || isChanged(appointment, items)).toBe(false);
  expect(told(items)).toEqual([`cut ana ${ONLY} ana`, `colour ben ${UNSPECIFIED} `]);
});

it('an added service has no wish, and takes time', () => {
  const appointment = booked();
  const items = changedItems(edited(changing(appointment, '2026-06-02', 600), 'brows', 'cleo'), 'kept');
  expect(told(items)[2]).toBe(`brows cleo ${UNSPECIFIED} `);
  expect(isPlacedAnew(appointment, items)).toBe(true);
});

it('a wish for all services changes none of their places', () => {
  const appointment = booked();
  const change = changing(appointment, '2026-06-02', 600);
  const rather = changedItems(change, 'prefers');
  expect(told(rather)).toEqual([`cut ana ${PREFERS} ana`, `colour ben ${PREFERS} ben`]);
  expect([isPlacedAnew(appointment, rather), isChanged(appointment, rather)]).toEqual([false, true]);
  expect(told(changedItems(change, 'any'))).toEqual([
    `cut ana ${UNSPECIFIED} `,
    `colour ben ${UNSPECIFIED} `,
  ]);
});

it('an offer says who does what was left open', () => {
  const change = edited(changing(booked(), '2026-06-02', 600), 'brows', '');
  const offer = create(OfferSchema, {
    items: [
      { serviceId: 'brows', employeeId: 'dan' },
      { serviceId: 'cut', employeeId: 'ana' },
      { serviceId: 'colour', employeeId: 'ben' },
    ],
  });
  expect(changedItems(change, 'kept', offer).map(({ employeeId }) => employeeId)).toEqual([
    'ana',
    'ben',
    'dan',
  ]);
});

it('another visit of the series keeps who does what stays with its employee', () => {
  const named = booked();
  const other = booked();
  const [cut] = other.items;
  if (cut) cut.employeeId = 'dan';
  const kept = changedItems(changing(named, '2026-06-02', 600), 'kept');
  expect(employeesAfter(named, other, kept)).toEqual(['dan', 'ben']);
  const [first] = kept;
  if (!first) throw new Error('There is a cut.');
  expect(employeesAfter(named, other, [{ ...first, employeeId: 'cleo' }])).toEqual(['cleo', '']);
});

it('tells whom the customer asks for', () => {
  expect(wishesText(booked())).toBe('Only Ana, anyone');
});

it('offers each answer once', () => {
  const texts = (appointment: ReturnType<typeof booked>, chosen: 'kept' | 'any' = 'kept') => {
    const change = changing(appointment, '2026-06-02', 600);
    return wishOptions(appointment, change, chosen, 'Ana and Ben').map(([, text]) => text);
  };
  const [mixed, none, only] = [booked(), booked(), booked()];
  for (const item of none.items) Object.assign(item, { employeeWish: UNSPECIFIED, wishedEmployeeId: '' });
  for (const item of only.items) {
    const name = item.employeeId === 'ana' ? 'Ana' : 'Ben';
    Object.assign(item, {
      employeeWish: ONLY,
      wishedEmployeeId: item.employeeId,
      wishedEmployeeName: name,
    });
  }
  expect(texts(mixed)).toEqual(['Only Ana, anyone', 'Anyone', 'Prefers Ana and Ben', 'Only Ana and Ben']);
  expect(texts(none)).toEqual(['Anyone', 'Prefers Ana and Ben', 'Only Ana and Ben']);
  expect(texts(only, 'any')).toEqual(['Only Ana, only Ben', 'Anyone', 'Prefers Ana and Ben']);
});
