import { useState } from 'react';
import { useLocation } from 'react-router';

/**
 * State that the sign-in pages pass on, in the history's state: an address
 * would expose it.
 */
export type Carried = {
  email: string;
  /** Where the person was going; unchecked. */
  wanted?: unknown;
};

/** The state from the previous page, with the address as it is typed. */
export function useCarried(): Carried & { setEmail: (email: string) => void } {
  const state = useLocation().state as Partial<Carried> | null;
  const [email, setEmail] = useState(typeof state?.email === 'string' ? state.email : '');
  return { email, setEmail, wanted: state?.wanted };
}
