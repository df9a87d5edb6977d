import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calendarsQuery } from '../calendars/queries';

const WATCH_MS = 5_000;
const WATCHED_FOR_MS = 60_000;

/** Polls the calendars more often for a while, once a person has one tried again; returns what begins it. */
export function useCalendarWatch(businessId: string): () => void {
  const [until, setUntil] = useState(0);
  useQuery({
    ...calendarsQuery(businessId),
    refetchOnMount: false,
    refetchInterval: () => (Date.now() < until ? WATCH_MS : false),
  });
  return () => setUntil(Date.now() + WATCHED_FOR_MS);
}
