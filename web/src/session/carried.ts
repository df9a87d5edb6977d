import { useState } from 'react';
import { useLocation } from 'react-router';

/**
 * What the pages of signing in hand each other: in the history's state, since
 * an address is read by others.
 */
export type Carried = {
  email: string;
  /** Where the person was going; unchecked. */
  wanted?: unknown;
};

/** What the page before handed on, and the address as it is typed from now on. */
export function useCarried(): Carried & { setEmail: (email: string) => void } {
  const state = useLocation().state as Partial<Carried> | null;
  const [email, setEmail] = useState(typeof state?.email === 'string' ? state.email : '');
  return { email, setEmail, wanted: state?.wanted };
}
