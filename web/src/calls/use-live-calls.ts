import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';
import { isLive, READ_LIVE_AGAIN_MS } from '../business/call-outcome';
import type { Call } from '../gen/frontdesk/telemetry/v1/call_pb';
import { paths } from '../paths';
import { useScarce } from '../ui/use-width';
import { recentCallsQuery } from './queries';

/**
 * The calls on the line, without the one whose own page is open: that shows all of it. The live socket reports calls;
 * polling covers a socket that can't connect, and calls that no one reports any more.
 */
export function useLiveCalls(businessId: string): Call[] {
  const { pathname } = useLocation();
  const { data } = useQuery({
    ...recentCallsQuery(businessId),
    refetchInterval: ({ state }) => (state.data?.calls.some(isLive) ? READ_LIVE_AGAIN_MS : false),
  });
  return (data?.calls ?? []).filter((call) => isLive(call) && pathname !== paths.call(businessId, call.id));
}

/** Of the button in the header, which has the focus once the calls are folded into it. */
export const CALLS_BUTTON = 'calls-on-the-line';

export const countText = (live: readonly Call[]) =>
  live.length === 1 ? '1 call on the line' : `${live.length} calls on the line`;

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
