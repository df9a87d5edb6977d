import { chakra } from '@chakra-ui/react';
import { ChevronRight } from 'lucide-react';
import { Fragment } from 'react';
import { Link, useLocation, useMatches } from 'react-router';
import type { Role } from '../session/roles';

type Crumb = { label: string; to: string };

/** A route's breadcrumb, and the roles it requires. */
export type RouteHandle = {
  crumb?: (
    params: Record<string, string | undefined>,
    businessName: string,
    search: URLSearchParams,
  ) => Crumb;
  roles?: readonly Role[];
  /** The page itself shows the visit that the address names. */
  showsVisit?: boolean;
  /** Its owner sees above the page what is left to set up. */
  showsChecklist?: boolean;
};

const CrumbLink = chakra(Link, {
  base: {
    color: 'fg.toolbar',
    textDecoration: 'none',
    borderRadius: '4px',
    truncate: true,
    maxWidth: '18rem',
    py: '1',
    px: '1',
    mx: '-1',
    _hover: { textDecoration: 'underline' },
  },
});

/** Breadcrumbs from the business down to this page. */
export function Breadcrumbs({ businessName }: { businessName: string }) {
  const search = new URLSearchParams(useLocation().search);
  const crumbs = useMatches().flatMap(({ handle, params }) => {
    const crumb = (handle as RouteHandle | undefined)?.crumb?.(params, businessName, search);
    return crumb ? [crumb] : [];
  });
  return (
    <chakra.nav aria-label="Breadcrumbs" minWidth="0" fontSize="0.9375rem" color="fg.toolbar">
      <chakra.ol display="flex" alignItems="center" gap="1.5" listStyleType="none" minWidth="0">
        {crumbs.map(({ label, to }, index) => {
          const last = index === crumbs.length - 1;
          return (
            <Fragment key={to}>
              {index > 0 && (
                <chakra.li aria-hidden opacity="0.5" flexShrink="0">
                  <ChevronRight size={16} />
                </chakra.li>
              )}
              <chakra.li
                minWidth="0"
                display="flex"
                // The business, which the navigation names as well, gives way before the others.
                flexShrink={index === 0 && !last ? '1000' : '1'}
                fontWeight={last ? '600' : '450'}
              >
                {/* A long name is cut. */}
                <CrumbLink to={to} title={label} aria-current={last ? 'page' : undefined}>
                  {label}
                </CrumbLink>
              </chakra.li>
            </Fragment>
          );
        })}
      </chakra.ol>
    </chakra.nav>
  );
}
