import { chakra, Flex, Stack } from '@chakra-ui/react';
import { lazy, Suspense } from 'react';
import { NavLink } from 'react-router';
import type { Destination } from './destinations';

const SideLink = chakra(NavLink, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '11',
    px: '3',
    borderRadius: 'button',
    fontSize: '0.9375rem',
    fontWeight: '500',
    color: 'fg.toolbar',
    textDecoration: 'none',
    transition: 'colors',
    _hover: { bg: 'bg.hover' },
    _currentPage: { bg: 'brand.subtle', color: 'brand.fg', fontWeight: '600' },
  },
});

const BottomLink = chakra(NavLink, {
  base: {
    flex: '1 1 0',
    minWidth: '0',
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1',
    minHeight: '60px',
    px: '1',
    fontSize: '0.75rem',
    fontWeight: '550',
    color: 'fg.toolbar',
    textDecoration: 'none',
    textAlign: 'center',
    _currentPage: { color: 'brand.fg', fontWeight: '650' },
    _focusVisible: { outlineOffset: '-3px' },
  },
});

const InboxCount = lazy(() =>
  import('../inbox/inbox-count').then(({ InboxCount }) => ({ default: InboxCount })),
);

type Group = { label?: string; destinations: Destination[] };

/** Every destination, down the side. */
export function SideNavigation({ groups }: { groups: Group[] }) {
  return (
    <chakra.nav aria-label="Main" display="flex" flexDirection="column" gap="5">
      {groups.map(({ label, destinations }) => (
        <Stack key={destinations[0]?.to} gap="1">
          {label && (
            <chakra.p px="3" pb="1" fontSize="0.8125rem" fontWeight="600" color="fg.muted" truncate>
              {label}
            </chakra.p>
          )}
          {destinations.map(({ label, to, icon: Icon, exact = false, counts }) => (
            <SideLink key={to} to={to} end={exact}>
              <Icon size={20} aria-hidden />
              {label}
              {counts && <Count businessId={counts} />}
            </SideLink>
          ))}
        </Stack>
      ))}
    </chakra.nav>
  );
}

/** The page stands before it knows how much there is to do. */
function Count({ businessId }: { businessId: string }) {
  return (
    <Suspense>
      <InboxCount businessId={businessId} />
    </Suspense>
  );
}

/** The same within reach of a thumb. */
export function BottomNavigation({ destinations }: { destinations: Destination[] }) {
  // A choice of one is none.
  if (destinations.length < 2) return null;
  return (
    <Flex
      as="nav"
      aria-label="Main"
      hideFrom="md"
      position="fixed"
      insetX="0"
      bottom="0"
      zIndex="bar"
      bg="bg.bar"
      borderTop="1px solid"
      borderColor="line"
      pb="env(safe-area-inset-bottom)"
    >
      {destinations.map(({ label, short, to, icon: Icon, exact = false }) => (
        <BottomLink key={to} to={to} end={exact} aria-label={label}>
          <Icon size={22} aria-hidden />
          {short ?? label}
        </BottomLink>
      ))}
    </Flex>
  );
}
