import { useCallback, useEffect, useRef, useState } from 'react';
import { useAction } from '../api/action';
import { call } from '../api/call';
import { readOffersAgain } from '../business/read-visits-again';
import { AvailabilityService, type Hold, type Offer } from '../gen/frontdesk/scheduling/v1/availability_pb';
import type { Item } from './draft';

/** Releases a hold. It expires by itself after five minutes, so a failure is ignored. */
function release(businessId: string, holdId: string): Promise<void> {
  return call(AvailabilityService.method.releaseHold, { businessId, holdId })
    .then(() => undefined)
    .catch(() => undefined)
    .finally(readOffersAgain);
}

export type Holding = {
  hold: Hold | null;
  /** A hold is being requested. */
  running: boolean;
  error: Error | null;
  /** The items have the employees of the offer. */
  take: (items: Item[], offer: Offer, customerId: string) => void;
  /** Releases the hold; resolves when the time is free again. */
  drop: () => Promise<void>;
  /** The hold was booked or has expired: there is nothing to release. */
  spend: () => void;
};

/** Holds one time while the receptionist decides, and releases it otherwise. */
export function useHold(businessId: string, onHeld: (hold: Hold) => void): Holding {
  const [hold, setHold] = useState<Hold | null>(null);
  const kept = useRef<string>('');
  const closed = useRef(false);

  const { act, running, error, reset } = useAction(AvailabilityService.method.createHold, {
    onDone: ({ hold: held }) => {
      if (!held) return;
      if (closed.current) return void release(businessId, held.id);
      kept.current = held.id;
      setHold(held);
      onHeld(held);
    },
    onRefused: readOffersAgain,
  });

  const drop = useCallback(() => {
    const holdId = kept.current;
    kept.current = '';
    setHold(null);
    return holdId ? release(businessId, holdId) : Promise.resolve();
  }, [businessId]);

  const spend = useCallback(() => {
    kept.current = '';
    setHold(null);
    readOffersAgain();
  }, []);

  // The hold is released however the dialog closes, also when the answer arrives after that.
  useEffect(() => {
    closed.current = false;
    return () => {
      closed.current = true;
      if (kept.current) void release(businessId, kept.current);
      kept.current = '';
    };
  }, [businessId]);

  return {
    hold,
    running,
    error,
    take: (items, offer, customerId) => {
      reset();
      act({
        businessId,
        items,
        customerId,
        ...(offer.startsAt ? { startsAt: offer.startsAt } : {}),
      });
    },
    drop,
    spend,
  };
}
