import { intend } from '../api/action';
import { ChangeService } from '../gen/frontdesk/scheduling/v1/change_pb';
import { TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { RecordChangeService } from '../gen/frontdesk/tenancy/v1/record_change_pb';
import { ApiError, isPassing, messageOf } from '../http/errors';
import type { ToastAction } from '../ui/toasts';
import { type TakeBack, undos } from '../ui/undos';
import { readCustomersAgain } from './read-customers-again';
import { readTeamAgain } from './read-team-again';
import { readWaitlistAgain } from './read-visits-again';

/** Why the server refuses to take a change back. */
const REFUSALS: Readonly<Record<string, string>> = {
  NOT_FOUND: 'A change can be undone once, within ten minutes.',
  STALE: 'Something was changed again since.',
  SLOT_TAKEN: 'The time before is taken by now.',
};

/** Takes a change of several records back, all of it or nothing, and then says `done`. */
export const undoChange = (businessId: string, changeId: string, done: string) =>
  taking(done, readWorkAgain, (key) =>
    intend(ChangeService.method.undoChange, { businessId, changeId }, key),
  );

/** The action of a toast that tells of a change, which takes it back; none where nothing was changed. */
export const undoAction = (businessId: string, changeId: string, done: string): ToastAction | undefined =>
  changeId ? undos.push(undoChange(businessId, changeId, done), changeId) : undefined;

/** Takes back a change that the server keeps for the viewer, wherever it was made, and then says `done`. */
export const undoKept = (businessId: string, changeId: string, done: string): Promise<void> =>
  undos.undoOne(changeId, undoChange(businessId, changeId, done));

/** Withdraws time off that was requested and approved at once. */
export const undoTimeOff = (businessId: string, timeOffId: string, done: string) =>
  taking(done, readWorkAgain, (key) =>
    intend(TimeOffService.method.withdrawTimeOff, { businessId, timeOffId }, key),
  );

/**
 * The action of a toast that tells of a change of what is on record of a customer, or of a follow-up; none where
 * nothing was changed.
 */
export const undoRecordAction = (
  businessId: string,
  changeId: string,
  done: string,
): ToastAction | undefined =>
  changeId
    ? undos.push(
        taking(done, readCustomersAgain, (key) =>
          intend(RecordChangeService.method.undoRecordChange, { businessId, changeId }, key),
        ),
      )
    : undefined;

/** Visits, hours, time off and who waits. */
function readWorkAgain(): void {
  readTeamAgain();
  void readWaitlistAgain();
}

type Taking = (
  done: string,
  readAgain: () => unknown,
  takeBack: (idempotencyKey: string) => Promise<unknown>,
) => TakeBack;

const taking: Taking = (done, readAgain, takeBack) => async (idempotencyKey) => {
  try {
    await takeBack(idempotencyKey);
    return { tone: 'good', text: done };
  } catch (error) {
    const reason = error instanceof ApiError ? REFUSALS[error.reason ?? ''] : undefined;
    const why = reason ?? messageOf(error, 'The server refused it.');
    return { tone: 'bad', text: `Not undone. ${why}`, undecided: isPassing(error) };
  } finally {
    void readAgain();
  }
};
