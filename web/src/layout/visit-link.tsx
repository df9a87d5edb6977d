import { chakra } from '@chakra-ui/react';
import type { ComponentProps, MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { paths } from '../paths';
import { linkRecipe } from '../ui/link-style';
import { rowLinkStyle } from './links';

/** The visit whose drawer is open over the page, as the address has it. */
export const VISIT_PARAMETER = 'visit';

/** Opens the drawer of a visit over the page that is shown, or closes it. */
export function useOpenVisit(): (appointmentId: string) => void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  return (appointmentId) => {
    const after = new URLSearchParams(search);
    if (appointmentId) after.set(VISIT_PARAMETER, appointmentId);
    else after.delete(VISIT_PARAMETER);
    const to = { pathname, search: after.size > 0 ? `?${after}` : '' };
    void navigate(to, { replace: appointmentId === '', preventScrollReset: true });
  };
}

type AnchorProps = Omit<ComponentProps<typeof Link>, 'to'> & { businessId: string; appointmentId: string };

/** Leads to a visit's own page where it is opened in another tab, and else opens its drawer here. */
function Anchor({ businessId, appointmentId, onClick, ...props }: AnchorProps) {
  const open = useOpenVisit();
  const press = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || !isPlain) return;
    event.preventDefault();
    open(appointmentId);
  };
  return <Link {...props} to={paths.appointment(businessId, appointmentId)} onClick={press} />;
}

/** A link to a visit in running text. */
export const VisitLink = chakra(Anchor, linkRecipe);

/** A link to a visit that covers its whole row. */
export const VisitRowLink = chakra(Anchor, rowLinkStyle);
