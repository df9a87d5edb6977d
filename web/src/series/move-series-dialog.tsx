import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Destination } from '../day/move-visit';
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
import { changesOf, type Scope, scopesOf } from './scopes';
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

/** Asks which visits of a series a move is meant for; moves several itself. */
export function MoveSeriesDialog(props: MoveSeriesDialogProps) {
  const { businessId, visit, to, zone, onOne, onDone, onClose } = props;
  const query = useQuery(seriesQuery(businessId, visit.seriesId));
  const [scope, setScope] = useState<Scope>('one');
  const { move, running, error } = useSeriesMove({ businessId, visit, zone, onDone });
  const shifts = 'startsAt' in changesOf(visit, to);
  const visits = query.data?.series?.appointments;
  const options = visits ? scopesOf(visits, visit, shifts) : [];
  const alone = options.length === 1;
  const goOn = useEffectEvent(onOne);
  // The last of its series: there is nothing to ask.
  useEffect(() => {
    if (alone) goOn();
  }, [alone]);
  const submit = () => {
    if (scope === 'one') onOne();
    else move(to, scope, false);
  };
  const blocked = error ? dateInTheWay(error, query.data?.series, zone) : '';
  return (
    <FormDialog title="Change the series?" busy={running} onSubmit={submit} onClose={onClose}>
      <Text>{customerOf(visit)} has a series of visits. Which of them do you mean?</Text>
      <Reading query={query} what="The series" skeleton={<RowsSkeleton rows={3} label="Loading series" />}>
        {() => (
          <ScopeChoice legend="Change" options={options} zone={zone} value={scope} onChange={setScope} />
        )}
      </Reading>
      {error && (
        <Flex gap="3" direction="column" align="flex-start">
          <Refusal>
            {`${blocked && `${blocked}: `}${messageOf(error, 'The visits could not be moved.')} Nothing was changed.`}
          </Refusal>
          {blocked && (
            <Button disabled={running} onClick={() => move(to, scope, true)}>
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
