import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { intend, useSending } from '../api/action';
import { call } from '../api/call';
import { readTeamAgain } from '../business/read-team-again';
import { undoChange, undoTimeOff } from '../business/undo-change';
import { OpeningExceptionService } from '../gen/frontdesk/scheduling/v1/opening_exception_pb';
import { AbsenceKind, type Proposal, ProposalService } from '../gen/frontdesk/scheduling/v1/proposal_pb';
import { ScheduleService, type StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { type TimeOffKind, TimeOffService } from '../gen/frontdesk/scheduling/v1/time_off_pb';
import { isPassing, messageOf } from '../http/errors';
import { instantOf } from '../time/local';
import { toasts } from '../ui/toasts';
import type { TakeBack } from '../ui/undos';

/** What keeps an employee, or all of them, from working. */
export type AbsenceValues = {
  what: 'sick' | 'late' | 'off' | 'hours' | 'closed' | 'open';
  employeeId: string;
  /** Local dates, as 2026-06-02. */
  first: string;
  last: string;
  kind: TimeOffKind;
  /** Minutes of the day; `null` where the field is empty. */
  from: number | null;
  to: number | null;
};

/** Minutes of the kinds that have hours, or an empty list. */
const spansOf = ({ from, to }: AbsenceValues) =>
  from === null || to === null ? [] : [{ fromMinute: from, toMinute: to }];

const withKey = () => ({ idempotencyKey: crypto.randomUUID() });

type Outcome = {
  stranded: StrandedAppointment[];
  proposal?: Proposal;
  /** Takes all of it back, where that can be done. */
  takeBack?: TakeBack;
};

/** Sends a change, or only asks whom it would leave without an employee. */
async function send(businessId: string, values: AbsenceValues, timeOffId: string, validateOnly: boolean) {
  const { what, employeeId, first, last } = values;
  switch (what) {
    case 'hours':
      return call(ScheduleService.method.setDayHours, {
        businessId,
        employeeId,
        date: first,
        spans: spansOf(values),
        validateOnly,
      });
    case 'closed':
    case 'open':
      return call(
        OpeningExceptionService.method.addOpeningException,
        {
          businessId,
          firstDate: first,
          lastDate: last,
          ...(what === 'closed' ? { spans: [], label: 'Closed' } : { spans: spansOf(values) }),
          validateOnly,
        },
        withKey(),
      );
    default:
      return call(TimeOffService.method.approveTimeOff, { businessId, timeOffId, validateOnly }, withKey());
  }
}

/** An employee who is ill or late is away whatever is booked: the report counts at once. */
async function report(
  businessId: string,
  zone: string,
  today: string,
  values: AbsenceValues,
): Promise<Outcome> {
  const { what, employeeId, first, to } = values;
  const kind = what === 'late' ? AbsenceKind.LATE : AbsenceKind.SICK;
  const at = (minute: number) => timestampFromDate(instantOf(first, minute, zone));
  const answer = await call(
    ProposalService.method.reportAbsence,
    {
      businessId,
      employeeId,
      kind,
      ...(first === today ? {} : { startsAt: at(0) }),
      ...(what === 'late' && to !== null ? { endsAt: at(to) } : {}),
    },
    withKey(),
  );
  return {
    stranded: [],
    ...(answer.proposal ? { proposal: answer.proposal } : {}),
    takeBack: undoChange(businessId, answer.changeId, 'The report is taken back.'),
  };
}

type Asked = { values: AbsenceValues; stranded: StrandedAppointment[]; timeOffId: string };

/**
 * Makes a change of working time in two steps: where it leaves customers without an employee, they are shown first.
 * `onDone` is called once it counts.
 */
export function useAbsence(
  businessId: string,
  zone: string,
  today: string,
  onDone: (values: AbsenceValues, outcome: Outcome) => void,
) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { request, withdraw, keep } = useRequest(businessId);
  const done = (values: AbsenceValues, outcome: Outcome) => {
    keep();
    readTeamAgain();
    setAsked(null);
    onDone(values, outcome);
  };
  /** How a change is taken back: time off that was requested for it as well is withdrawn. */
  const taking = ({ what }: AbsenceValues, timeOffId: string, changeId: string): Partial<Outcome> => {
    if (timeOffId) return { takeBack: undoTimeOff(businessId, timeOffId, 'The time off is taken back.') };
    const done = what === 'closed' ? 'The closure is taken back.' : 'The hours are as they were.';
    return changeId ? { takeBack: undoChange(businessId, changeId, done) } : {};
  };
  const ask = useMutation({
    mutationFn: async (values: AbsenceValues) => {
      if (values.what === 'sick' || values.what === 'late') {
        return done(values, await report(businessId, zone, today, values));
      }
      const timeOffId = values.what === 'off' ? await request(values) : '';
      try {
        const { stranded } = await send(businessId, values, timeOffId, true);
        if (stranded.length > 0) return setAsked({ values, stranded, timeOffId });
        const { changeId } = await send(businessId, values, timeOffId, false);
        done(values, { stranded: [], ...taking(values, timeOffId, changeId) });
      } catch (error) {
        // What was not saved is no request either. If it stays for now, the next attempt or the end withdraws it.
        await withdraw().catch(() => undefined);
        throw error;
      }
    },
  });
  const confirm = useMutation({
    mutationFn: async ({ values, timeOffId }: Asked) => {
      const { stranded, changeId } = await send(businessId, values, timeOffId, false);
      done(values, { stranded, ...taking(values, timeOffId, changeId) });
    },
  });
  /** What was only asked for is taken back: nothing is left behind. */
  const cancel = useMutation({
    mutationFn: async () => {
      setAsked(null);
      confirm.reset();
      await withdraw();
    },
    onError: notWithdrawn,
  });
  return {
    asked,
    ask: ask.mutate,
    confirm: () => asked && confirm.mutate(asked),
    cancel: () => cancel.mutate(),
    running: ask.isPending || confirm.isPending || cancel.isPending,
    error: ask.error ?? confirm.error,
  };
}

const notWithdrawn = (error: unknown) =>
  toasts.show(
    'bad',
    `The request for time off waits in the inbox: it could not be withdrawn. ${messageOf(error, 'The server refused it.')}`,
  );

/** The request that time off needs before it can be approved: one at most, and none is left unless it is kept. */
function useRequest(businessId: string) {
  const open = useRef('');
  const gone = useRef(false);
  const send = useSending(TimeOffService.method.requestTimeOff);
  const withdraw = useCallback(async () => {
    if (!open.current) return;
    try {
      await intend(TimeOffService.method.withdrawTimeOff, { businessId, timeOffId: open.current });
    } catch (error) {
      // One that the server refuses to withdraw is gone or decided.
      if (isPassing(error)) throw error;
    }
    open.current = '';
    readTeamAgain();
  }, [businessId]);
  // However the dialog ends.
  useEffect(() => {
    gone.current = false;
    return () => {
      gone.current = true;
      void withdraw().catch(notWithdrawn);
    };
  }, [withdraw]);
  const request = async ({ employeeId, kind, first, last }: AbsenceValues): Promise<string> => {
    await withdraw();
    const { timeOff } = await send({ businessId, employeeId, kind, firstDate: first, lastDate: last });
    open.current = timeOff?.id ?? '';
    // The dialog went while the request was under way: its end found nothing to withdraw.
    if (gone.current) {
      await withdraw().catch(notWithdrawn);
      throw new Error('the dialog is closed');
    }
    return open.current;
  };
  const keep = () => {
    open.current = '';
  };
  return { request, withdraw, keep };
}
