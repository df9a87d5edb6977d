import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { Ellipsis } from 'lucide-react';
import { Link, useLocation } from 'react-router';
import { Menu, MenuLink } from '../ui/menu';
import { type Destination, isWithin } from './destinations';

/** The current page's link, pointed at or not. */
const HERE = {
  bg: 'brand.subtle',
  color: 'brand.fg',
  fontWeight: '600',
  _hover: { bg: 'brand.hover' },
} as const;

const SideLink = chakra(Link, {
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
    _currentPage: HERE,
  },
});

const BottomLink = chakra(Link, {
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
    position: 'relative',
    _currentPage: { color: 'brand.fg', fontWeight: '650' },
    _focusVisible: { outlineOffset: '-3px' },
  },
});

const ItemLink = chakra(Link, {
  base: { _currentPage: HERE },
});

type Group = { label?: string; destinations: Destination[] };

function useCurrent(): (destination: Destination) => 'page' | undefined {
  const { pathname } = useLocation();
  return (destination) => (isWithin(destination, pathname) ? 'page' : undefined);
}

/** Every destination, down the side. */
export function SideNavigation({ groups }: { groups: Group[] }) {
  const current = useCurrent();
  return (
    <chakra.nav aria-label="Main" display="flex" flexDirection="column" gap="5">
      {groups.map(({ label, destinations }) => (
        <Stack key={destinations[0]?.to} gap="1">
          {label && (
            <chakra.p px="3" pb="1" fontSize="0.8125rem" fontWeight="600" color="fg.muted" truncate>
              {label}
            </chakra.p>
          )}
          {destinations.map((destination) => {
            const { label, to, icon: Icon, count } = destination;
            return (
              <SideLink key={to} to={to} aria-current={current(destination)}>
                <Icon size={20} aria-hidden />
                {label}
                {count?.('end')}
              </SideLink>
            );
          })}
        </Stack>
      ))}
    </chakra.nav>
  );
}

/** As many links as fit on a phone, each wide enough for a thumb. */
const WITHIN_REACH = 5;

/** The navigation at the bottom of a phone; links that do not fit are in a menu. */
export function BottomNavigation({ destinations }: { destinations: Destination[] }) {
  const current = useCurrent();
  // A menu of one entry is not needed.
  if (destinations.length < 2) return null;
  const fits = destinations.length <= WITHIN_REACH;
  const near = fits ? destinations : destinations.slice(0, WITHIN_REACH - 1);
  return (
    <Flex
      as="nav"
      aria-label="Main"
      position="fixed"
      insetX="0"
      bottom="0"
      zIndex="bar"
      bg="bg.bar"
      borderTop="1px solid"
      borderColor="line"
      pb="env(safe-area-inset-bottom)"
    >
      {near.map((destination) => {
        const { label, short, to, icon: Icon, count } = destination;
        return (
          <BottomLink
            key={to}
            to={to}
            aria-current={current(destination)}
            aria-label={short && spoken(label, short)}
          >
            <Icon size={22} aria-hidden />
            {short ?? label}
            {count?.('corner')}
          </BottomLink>
        );
      })}
      {!fits && <Further destinations={destinations.slice(near.length)} />}
    </Flex>
  );
}

function Further({ destinations }: { destinations: Destination[] }) {
  const current = useCurrent();
  const isHere = destinations.some(current);
  const count = destinations.find((destination) => destination.count)?.count;
  return (
    <Box flex="1 1 0" minWidth="0">
      <Menu
        align="end"
        trigger={
          <>
            <Ellipsis size={22} aria-hidden />
            More
            {count?.('corner')}
          </>
        }
        triggerProps={{
          width: '100%',
          minHeight: '60px',
          position: 'relative',
          flexDirection: 'column',
          justifyContent: 'center',
          gap: '1',
          px: '1',
          borderRadius: '0',
          fontSize: '0.75rem',
          fontWeight: isHere ? '650' : '550',
          color: isHere ? 'brand.fg' : 'fg.toolbar',
          _focusVisible: { outlineOffset: '-3px' },
        }}
      >
        {destinations.map((destination) => {
          const { label, to, icon: Icon, count } = destination;
          return (
            <MenuLink key={to} value={to}>
              <ItemLink to={to} aria-current={current(destination)}>
                <Icon size={20} aria-hidden />
                {label}
                {count?.('end')}
              </ItemLink>
            </MenuLink>
          );
        })}
      </Menu>
    </Box>
  );
}

/** The accessible name contains the visible one, so that voice control finds the link. */
const spoken = (label: string, short: string) =>
  label.toLowerCase().includes(short.toLowerCase()) ? label : `${short}: ${label}`;
