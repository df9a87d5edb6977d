import { chakra } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';

/** Enough of a tab to see that there is one. */
const PEEK = 48;

export type Tab = { label: string; to: string; current: boolean };

const TabLink = chakra(Link, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: '11',
    px: '3.5',
    fontSize: '0.9375rem',
    fontWeight: '550',
    color: 'fg.muted',
    textDecoration: 'none',
    whiteSpace: 'nowrap',
    borderBottom: '2px solid transparent',
    _hover: { color: 'fg' },
    _currentPage: {
      color: 'brand.fg',
      borderColor: 'brand.solid',
      fontWeight: '650',
      _hover: { color: 'brand.fg' },
    },
    _focusVisible: { outlineOffset: '-2px', borderRadius: 'button' },
  },
});

/** Pages that belong together, side by side. On a phone the row scrolls. */
export function TabLinks({ label, tabs }: { label: string; tabs: Tab[] }) {
  const row = useRef<HTMLElement>(null);
  const current = tabs.find((tab) => tab.current)?.to;
  useEffect(() => {
    const tab = row.current?.querySelector<HTMLElement>('[aria-current]');
    // Of this row alone: the page stays where it is, and the tab before peeks in.
    if (row.current && tab && current)
      row.current.scrollLeft = tab.offsetLeft - row.current.offsetLeft - PEEK;
  }, [current]);
  return (
    <chakra.nav
      ref={row}
      aria-label={label}
      display="flex"
      gap="1"
      overflowX="auto"
      borderBottom="1px solid"
      borderColor="line"
      scrollbarWidth="none"
      className="sideways"
    >
      {tabs.map(({ label, to, current }) => (
        <TabLink key={to} to={to} aria-current={current ? 'page' : undefined}>
          {label}
        </TabLink>
      ))}
    </chakra.nav>
  );
}
