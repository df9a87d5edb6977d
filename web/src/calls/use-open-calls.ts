import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { isLive, mayGoOn, READ_LIVE_AGAIN_MS } from '../business/call-outcome';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { paths } from '../paths';
import { useNow } from '../ui/use-now';
import { useScarce } from '../ui/use-width';
import { recentCallsQuery } from './queries';

const MINUTE_MS = 60_000;

/**
 * The calls on the line, then those that may be over without a word of it; without the one whose own page is open: that
 * shows all of it. The live socket reports calls; polling covers a socket that can't connect, and calls that no one
 * reports any more.
 */
export function useOpenCalls(businessId: string): Call[] {
  const { pathname } = useLocation();
  const now = useNow(MINUTE_MS);
  const { data } = useQuery({
    ...recentCallsQuery(businessId),
    refetchInterval: ({ state }) =>
      state.data?.calls.some((call) => isOpen(call, new Date())) ? READ_LIVE_AGAIN_MS : false,
  });
  return openOf(data?.calls ?? [], now).filter(({ id }) => pathname !== paths.call(businessId, id));
}

const isOpen = (call: Call, now: Date) => isLive(call) || mayGoOn(call, now);

/** Of calls, those on the line, and behind them those that may be over. */
export const openOf = (calls: readonly Call[], now: Date): Call[] => [
  ...calls.filter(isLive),
  ...calls.filter((call) => mayGoOn(call, now)),
];

/** Of the button in the header, which has the focus once the calls are folded into it. */
export const CALLS_BUTTON = 'calls-on-the-line';

/** How many calls are on the line, and how many may be over. */
export function countText(open: readonly Call[]): string {
  const live = open.filter(isLive).length;
  const silent = open.length - live;
  const calls = (count: number) => (count === 1 ? '1 call' : `${count} calls`);
  if (silent === 0) return `${calls(live)} on the line`;
  return live === 0 ? `${calls(silent)} may be over` : `${calls(live)} on the line, ${silent} may be over`;
}

/** As the user left it in this tab; undefined before they chose. */
let chosen: boolean | undefined;
const listeners = new Set<() => void>();

function fold(folded: boolean): void {
  chosen = folded;
  for (const listener of listeners) listener();
}

function follow(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Whether the calls are folded: they stay as the user left them, for the next call as well. On a screen with little
 * room they begin folded into the header.
 */
export function useFolded(): [boolean, (folded: boolean) => void] {
  const scarce = useScarce();
  const folded = useSyncExternalStore(follow, () => chosen);
  return [folded ?? scarce, fold];
}
