import { useEffect } from 'react';
import { type Location, useBlocker } from 'react-router';
import { session } from '../session/current';
import { LeaveQuestion } from '../ui/dialog';

/** Asks before another page takes the place of one whose changes are not saved. Shown while there are some. */
export function LeaveGuard() {
  const blocker = useBlocker(({ currentLocation: here, nextLocation: next }) => {
    const { user, cachedUser } = session.state;
    // Where the session ends, the page goes in any case; what was typed is back after signing in.
    if (!(user ?? cachedUser)) return false;
    return here.pathname !== next.pathname || tabOf(here) !== tabOf(next);
  });
  useEffect(() => {
    // The browser asks in its own words.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  if (blocker.state !== 'blocked') return null;
  return <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />;
}

const tabOf = ({ search }: Location) => new URLSearchParams(search).get('tab');
