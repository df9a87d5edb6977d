// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CompareProviderAvailabilityResponseSchema } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';
import { AvailabilityDay } from './availability-day';

const TO = { credentials: '/credentials', mapping: '/mapping', consistency: '/consistency' };
const FREE = { fromMinute: 540, toMinute: 720, isFreeHere: true, isFreeThere: false };

beforeEach(fillJsdomGaps);
afterEach(cleanup);

function open(employees: { employeeName: string; fault?: string; differenceMinutes?: number }[]) {
  const compared = create(CompareProviderAvailabilityResponseSchema, {
    employees: employees.map((employee) => ({
      employeeId: employee.employeeName,
      spans: [FREE],
      ...employee,
    })),
  });
  mount(
    [
      {
        path: '/',
        element: <AvailabilityDay compared={compared} system="Square" to={TO} />,
      },
    ],
    '/',
  );
}

it('says once why a system that is away is unknown', async () => {
  const fault = 'it did not answer in time';
  open([
    { employeeName: 'Mia', fault },
    { employeeName: 'Noah', fault },
  ]);
  expect(await screen.findAllByText(/It did not answer in time/)).toHaveLength(1);
  expect(screen.getAllByText('Free in the book: 9:00 – 12:00. Free in Square: unknown.')).toHaveLength(2);
});

it('says of whom the other side is unknown where it is known of others', async () => {
  open([
    { employeeName: 'Mia', fault: 'it did not answer in time' },
    { employeeName: 'Noah', differenceMinutes: 180 },
  ]);
  await screen.findByText(/1 of 1 employee differs, by 3 h in all\. 1 could not be compared\./);
  await screen.findByText(/It did not answer in time/);
  expect(screen.getByText(/^Free only in the book:/).textContent).toBe('Free only in the book: 9:00 – 12:00');
});
