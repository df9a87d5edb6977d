import { type ReactNode, useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router';
import { AccessRestricted } from '../layout/access-restricted';
import { Waiting } from '../layout/waiting';
import { paths } from '../paths';
import { session } from '../session/current';
import { PROTECTED_WAIT_MS, protect } from '../session/protection';
import type { Role } from '../session/roles';
import { requiredRole } from '../session/roles';
import { useSession } from '../session/use-session';

/** Lets a signed-in person of sufficient role through to the page. */
export function Protected({ roles, children }: { roles?: readonly Role[] | undefined; children: ReactNode }) {
  const state = useSession();
  const waited = useElapsed(PROTECTED_WAIT_MS);
  const outcome = protect(state, requiredRole(roles), waited);
  switch (outcome.kind) {
    case 'page':
      return children;
    case 'wait':
      return <Waiting label={outcome.because} />;
    case 'restricted':
      return <AccessRestricted signedIn={outcome.signedIn} />;
    case 'signIn':
      return <ToSignIn keepWay={state.ended !== 'signedOut'} />;
  }
}

/** After a sign-out on purpose the next user is not led back to the page. */
function ToSignIn({ keepWay }: { keepWay: boolean }) {
  const { pathname, search } = useLocation();
  useEffect(() => session.forgetCachedUser(), []);
  return <Navigate to={paths.login} replace state={keepWay ? { wanted: pathname + search } : null} />;
}

function useElapsed(ms: number): number {
  const [elapsed, setElapsed] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(ms), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return elapsed;
}
