import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { customerOf } from '../day/naming';
import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import type { Series } from '../gen/frontdesk/scheduling/v1/series_pb';
import { ApiError, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { dateText, moment } from '../time/zoned';
import { Button } from '../ui/button';
import { DialogActions, FormDialog } from '../ui/dialog';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { seriesQuery } from './queries';
import { ScopeChoice } from './scope-choice';
import { inScope, type Scope, scopesOf } from './scopes';

type SeriesScopeDialogProps = {
  businessId: string;
  visit: Appointment;
  zone: string;
  /** Whether the change is one of the start: visits that were moved by themselves keep theirs. */
  shifts: boolean;
  running: boolean;
  error: Error | null;
  /** What is said of a failure without a reason. */
  failure: string;
  /** Beside the choice. */
  children?: ReactNode;
  /** The visit alone is meant. */
  onOne: () => void;
  /** Several visits are meant: those in scope; perhaps leaving those that do not fit. */
  onSeveral: (scope: Exclude<Scope, 'one'>, visits: Appointment[], leaveTaken: boolean) => void;
  onClose: () => void;
};

/** Asks which visits of a series a change is meant for; says which of them is in the way of it. */
export function SeriesScopeDialog(props: SeriesScopeDialogProps) {
  const { businessId, visit, zone, shifts, running, error, failure, children, onOne, onSeveral, onClose } =
    props;
  const query = useQuery(seriesQuery(businessId, visit.seriesId));
  const [scope, setScope] = useState<Scope>('one');
  const visits = query.data?.series?.appointments;
  const options = visits ? scopesOf(visits, visit, shifts) : [];
  const alone = options.length === 1;
  const goOn = useEffectEvent(onOne);
  const gone = useRef(false);
  // The last of its series: there is nothing to ask, and one change to make however often effects run.
  useEffect(() => {
    if (!alone || gone.current) return;
    gone.current = true;
    goOn();
  }, [alone]);
  const submit = (leaveTaken: boolean) => {
    if (scope === 'one') onOne();
    else onSeveral(scope, inScope(visits ?? [], visit, scope), leaveTaken);
  };
  const blocked = error ? dateInTheWay(error, query.data?.series, zone) : '';
  return (
    <FormDialog title="Change the series?" busy={running} onSubmit={() => submit(false)} onClose={onClose}>
      <Text>{customerOf(visit)} has a series of visits. Which of them do you mean?</Text>
      <Reading query={query} what="The series" skeleton={<RowsSkeleton rows={3} label="Loading series" />}>
        {() => (
          <ScopeChoice legend="Change" options={options} zone={zone} value={scope} onChange={setScope} />
        )}
      </Reading>
      {children}
      {error && (
        <Flex gap="3" direction="column" align="flex-start">
          <Refusal>{`${blocked && `${blocked}: `}${messageOf(error, failure)} Nothing was changed.`}</Refusal>
          {blocked && scope !== 'one' && (
            <Button disabled={running} onClick={() => submit(true)}>
              Change the others, leave those that don’t fit
            </Button>
          )}
        </Flex>
      )}
      <DialogActions>
        <Button onClick={onClose} disabled={running} minHeight="12">
          Change nothing
        </Button>
        <Button type="submit" variant="contained" loading={running} disabled={options.length === 0}>
          Change
        </Button>
      </DialogActions>
    </FormDialog>
  );
}

/** The date of the visit that a refusal names. */
function dateInTheWay(error: Error, series: Series | undefined, zone: string): string {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return '';
  const { occurrence } = error.failure.metadata;
  const at = moment(series?.appointments.find((one) => String(one.occurrence) === occurrence)?.startsAt);
  return at ? dateText(at, zone) : '';
}
