import { useEffect, useRef } from 'react';
import { ImportState } from '../gen/frontdesk/tenancy/v1/import_pb';

/** Calls once an import has ended that was seen before: what it made is read again. */
export function useFinished(state: ImportState | undefined, onFinished: (() => void) | undefined): void {
  const wasOpen = useRef(false);
  useEffect(() => {
    if (state === undefined) return;
    const isOver = state === ImportState.DONE || state === ImportState.CANCELLED;
    const hasEnded = wasOpen.current && isOver;
    wasOpen.current = !isOver;
    if (hasEnded) onFinished?.();
  }, [state, onFinished]);
}
