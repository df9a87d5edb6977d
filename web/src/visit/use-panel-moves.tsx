import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { type ReactNode, useRef, useState } from 'react';
import { useMoving } from '../booking/use-moving';
import { whyNotMoved } from '../booking/why-refused';
import { useConsent } from '../business/use-consent';
import type { Destination, Told } from '../day/move-visit';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { MoveSeriesDialog } from '../series/move-series-dialog';

type PanelMoves = {
  businessId: string;
  visit: Appointment;
  zone: string;
  nameOf: (employeeId: string) => string;
};

export type Move = (visit: Appointment, to: Destination, told: Told) => void;

/** Moves a visit where no page shows it in its place at once, and asks before a wish is broken. */
export function usePanelMoves(props: PanelMoves): { move: Move; question: ReactNode } {
  const { businessId, visit, zone, nameOf } = props;
  const told = useRef<Told>(undefined);
  const wanted = useRef<Destination>(undefined);
  const { ask, question } = useConsent(nameOf);
  const { act } = useMoving({
    visit,
    zone,
    onDone: () => told.current?.onDone(),
    onRefused: (error) => {
      const to = wanted.current;
      if (to)
        void whyNotMoved(businessId, visit, to, error).then((reason) => told.current?.onRefused(reason));
    },
  });
  const [ofSeries, setOfSeries] = useState<{ to: Destination; asker: Told } | null>(null);
  const moveOne = (to: Destination, asker: Told) => {
    const { startsAt, employeeIds, extraMinutes } = to;
    const { id, version } = visit;
    told.current = asker;
    wanted.current = to;
    ask(
      visit,
      employeeIds,
      (customerAgreed) =>
        act({
          businessId,
          appointmentId: id,
          startsAt: timestampFromDate(startsAt),
          employeeIds,
          extraMinutes,
          version,
          customerAgreed,
        }),
      () => asker.onRefused('Not moved: the customer asked for this employee and no one else.'),
    );
  };
  const move: Move = (_, to, asker) => (visit.seriesId ? setOfSeries({ to, asker }) : moveOne(to, asker));
  const seriesQuestion = ofSeries && (
    <MoveSeriesDialog
      businessId={businessId}
      visit={visit}
      to={ofSeries.to}
      zone={zone}
      onOne={() => {
        setOfSeries(null);
        moveOne(ofSeries.to, ofSeries.asker);
      }}
      onDone={() => {
        setOfSeries(null);
        ofSeries.asker.onDone();
      }}
      onClose={() => {
        setOfSeries(null);
        ofSeries.asker.onRefused('');
      }}
    />
  );
  return {
    move,
    question: (
      <>
        {seriesQuestion}
        {question}
      </>
    ),
  };
}
