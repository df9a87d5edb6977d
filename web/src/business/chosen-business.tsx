import type { ReactNode } from 'react';
import { useLocation, useParams, useSearchParams } from 'react-router';
import { isId } from '../paths';
import { BusinessInHand } from './business-in-hand';
import { BusinessList } from './business-list';
import { useBusinessRole } from './queries';

export type BusinessHere = { businessId: string; role: string | undefined };

/** The business a page is about: of its address for its own people, of `?business=` for an administrator. */
export function useBusinessHere(): BusinessHere & { chosen: boolean } {
  const { businessId: ofPath } = useParams();
  const [search] = useSearchParams();
  const wanted = ofPath ?? search.get('business') ?? '';
  const businessId = isId(wanted) ? wanted : '';
  const here = useBusinessRole(businessId);
  const role = businessId && here.kind === 'member' ? here.role : undefined;
  return { businessId, role, chosen: ofPath === undefined };
}

/** An administrator's choice of the business, and the page once one is chosen. */
export function ChosenBusiness({ children }: { children: ReactNode }) {
  const { businessId, chosen } = useBusinessHere();
  const { pathname } = useLocation();
  if (!chosen) return children;
  // Filters are about the business before.
  if (!businessId) return <BusinessList to={(id) => `${pathname}?business=${id}`} />;
  return (
    <>
      <BusinessInHand businessId={businessId} choose={pathname} />
      {children}
    </>
  );
}
