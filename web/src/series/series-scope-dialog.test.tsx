// @vitest-environment jsdom
import { create, toJson } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppointmentSchema, AppointmentState } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { GetSeriesResponseSchema } from '../gen/frontdesk/scheduling/v1/series_pb';
import type { Outgoing } from '../http/transport';
import { fillJsdomGaps } from '../testing/jsdom-gaps';
import { dialogsWork, mount } from '../testing/mount';

const api = vi.hoisted(() => vi.fn<(request: Outgoing) => Promise<unknown>>());
vi.mock('../session/current', () => ({ api }));

const { SeriesScopeDialog } = await import('./series-scope-dialog');

const visit = create(AppointmentSchema, {
  id: 'last',
  seriesId: 's1',
  customerName: 'Rita',
  occurrence: 4,
  state: AppointmentState.BOOKED,
  startsAt: timestampFromDate(new Date('2030-01-01T10:00Z')),
});

beforeEach(() => {
  dialogsWork();
  fillJsdomGaps();
  const schema = GetSeriesResponseSchema;
  api.mockImplementation(async () => toJson(schema, create(schema, { series: { appointments: [visit] } })));
});
afterEach(cleanup);

it('a change of the last visit of a series asks nothing, and is made once, also in a page whose effects run twice', async () => {
  const onOne = vi.fn();
  const Again = () => {
    const [time, setTime] = useState(1);
    return (
      <>
        <button type="button" onClick={() => setTime(time + 1)}>
          Again
        </button>
        <SeriesScopeDialog
          key={time}
          businessId="b1"
          visit={visit}
          zone="Europe/London"
          shifts
          running={false}
          error={null}
          failure=""
          onOne={onOne}
          onSeveral={() => undefined}
          onClose={() => undefined}
        />
      </>
    );
  };
  const element = (
    <StrictMode>
      <Again />
    </StrictMode>
  );
  mount([{ path: '/', element }], '/');
  await waitFor(() => expect(onOne).toHaveBeenCalledTimes(1));
  // The series is known from the first time.
  fireEvent.click(screen.getByText('Again'));
  await waitFor(() => expect(onOne).toHaveBeenCalledTimes(2));
  fireEvent.click(screen.getByText('Again'));
  await waitFor(() => expect(onOne).toHaveBeenCalledTimes(3));
});
