import { type RefObject, useEffect } from 'react';
import { type Location, useBlocker } from 'react-router';
import { session } from '../session/current';
import { samePerson } from '../session/person';
import type { User } from '../session/user';
import { LeaveQuestion } from '../ui/dialog';

type LeaveGuardProps = {
  /** Set once the changes are saved, or are not wanted: the page goes on before it is drawn again. */
  leaving?: RefObject<boolean>;
};

/** Asks before another page takes the place of one whose changes are not saved. Shown while there are some. */
export function LeaveGuard({ leaving }: LeaveGuardProps) {
  const blocker = useBlocker(({ currentLocation: here, nextLocation: next }) => {
    // Where the session ends, the page goes in any case; what was typed is back after signing in.
    if (!person() || leaving?.current) return false;
    return here.pathname !== next.pathname || partOf(here) !== partOf(next);
  });
  useEffect(() => {
    const typist = person();
    // The browser asks in its own words. What one person typed is not for the next one to keep.
    const ask = (event: BeforeUnloadEvent) => {
      const now = person();
      if (typist && now && samePerson({ user: typist, token: null }, { user: now, token: null }))
        event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, []);
  if (blocker.state !== 'blocked') return null;
  return <LeaveQuestion onStay={blocker.reset} onLeave={blocker.proceed} />;
}

function person(): User | null {
  const { user, cachedUser } = session.state;
  return user ?? cachedUser;
}

/** Which tab or step of a page is shown. */
function partOf({ search }: Location): string {
  const asked = new URLSearchParams(search);
  return `${asked.get('tab')} ${asked.get('step')}`;
}
