import { Navigate } from 'react-router';
import { Waiting } from './waiting';

/** Leads on at once; until the next page's code has loaded, it says what is waited for instead of being blank. */
export function Onward({ to, label }: { to: string; label: string }) {
  return (
    <>
      <Navigate to={to} replace />
      <Waiting label={label} />
    </>
  );
}
