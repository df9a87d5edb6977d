import { useQuery } from '@tanstack/react-query';
import { employeesQuery } from '../business/queries';
import { useConsent } from '../business/use-consent';
import type { Destination } from '../day/move-visit';
import { brokenBy } from '../day/wishes';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { changesOf } from './scopes';
import { SeriesScopeDialog } from './series-scope-dialog';
import { useSeriesMove } from './use-series-change';

type MoveSeriesDialogProps = {
  businessId: string;
  visit: Appointment;
  to: Destination;
  zone: string;
  /** The visit alone is meant. */
  onOne: () => void;
  /** Several visits were moved. */
  onDone: () => void;
  onClose: () => void;
};

/** Asks which visits of a series a move is meant for; moves several itself, and asks before a wish is broken. */
export function MoveSeriesDialog(props: MoveSeriesDialogProps) {
  const { businessId, visit, to, zone, onOne, onDone, onClose } = props;
  const employees = useQuery(employeesQuery(businessId)).data?.employees ?? [];
  const { ask, question } = useConsent((id) => employees.find((employee) => employee.id === id)?.name ?? '');
  const { move, running, error } = useSeriesMove({ businessId, visit, zone, onDone });
  const changes = changesOf(visit, to);
  return (
    <>
      <SeriesScopeDialog
        businessId={businessId}
        visit={visit}
        zone={zone}
        shifts={'startsAt' in changes}
        running={running}
        error={error}
        failure="The visits could not be moved."
        onOne={onOne}
        onSeveral={(scope, visits, leaveTaken) => {
          const asking = visits.find((one) => brokenBy(one, changes.employeeIds).length > 0) ?? visit;
          ask(asking, changes.employeeIds, (agreed) => move(to, scope, leaveTaken, agreed));
        }}
        onClose={onClose}
      />
      {question}
    </>
  );
}
