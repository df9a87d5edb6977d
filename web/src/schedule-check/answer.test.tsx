// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ExplainAvailabilityResponseSchema } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { mount } from '../testing/mount';
import { Answer } from './answer';

beforeEach(fillJsdomGaps);
afterEach(cleanup);

it('names the next free time once', async () => {
  const answer = create(ExplainAvailabilityResponseSchema, {
    sentence: 'We are closed at 3:00, but 14:30 with Mia is free.',
    timeZone: 'Europe/London',
    nextOffer: { startsAt: timestampFromDate(new Date('2026-06-01T13:30:00Z')) },
  });
  mount([{ path: '/', element: <Answer businessId="b" answer={answer} /> }], '/');
  await screen.findByText('This time can’t be booked');
  expect(screen.getAllByText(/14:30/)).toHaveLength(1);
});
