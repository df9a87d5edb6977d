import { queries } from '../api/query-client';
import { OpeningExceptionService } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { ScheduleService } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { readVisitsAgain } from './read-visits-again';

/** Invalidates all queries that depend on hours and time off, without waiting for the live socket. */
export function readTeamAgain(): void {
  const ofTeam = [OpeningExceptionService, ScheduleService, TimeOffService].map(
    ({ typeName }) => `${typeName}/`,
  );
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => ofTeam.some((service) => String(queryKey[0]).startsWith(service)),
  });
  void readVisitsAgain();
}
