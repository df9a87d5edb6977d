import { useMutation } from '@tanstack/react-query';
import { readTeamAgain } from '../business/read-team-again';
import type { StrandedAppointment } from '../gen/frontdesk/scheduling/v1/schedule_pb';
import { type Stranded, strandedOf } from './stranded';

/** One change of hours, to be tried or made. It tells which visits lose their employee. */
export type HoursChange = {
  /** What it would change, so that an answer is not taken for that of another. */
  key: string;
  send: (validateOnly: boolean) => Promise<{ stranded: StrandedAppointment[]; changeId: string }>;
};

type Outcome = { key: string; saved: boolean; stranded: Stranded[]; changeId: string };

/**
 * Saves a change of hours at once if it strands no visit. Otherwise it shows those visits first, and only
 * a second press saves it. `onSaved` gets the change, by which it can be undone.
 */
export function useHoursChange(onSaved: (changeId: string) => void) {
  const mutation = useMutation({
    mutationFn: async ({ key, send, sure }: HoursChange & { sure: boolean }): Promise<Outcome> => {
      const tried = sure ? [] : (await send(true)).stranded.flatMap(strandedOf);
      if (tried.length > 0) return { key, saved: false, stranded: tried, changeId: '' };
      const { changeId } = await send(false);
      return { key, saved: true, stranded: [], changeId };
    },
    onSuccess: ({ saved, changeId }) => {
      if (!saved) return;
      readTeamAgain();
      onSaved(changeId);
    },
  });
  const { data, isPending, error, mutate, reset } = mutation;
  /** Of this change; what was shown for another says nothing about it. */
  const strandedBy = (key: string) => (data && !data.saved && data.key === key ? data.stranded : []);
  return {
    /** Tries the change, or makes it where it was shown before whom it strands. */
    apply: (change: HoursChange) => mutate({ ...change, sure: strandedBy(change.key).length > 0 }),
    strandedBy,
    running: isPending,
    error,
    reset,
  };
}
