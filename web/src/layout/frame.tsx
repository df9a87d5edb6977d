import { Box, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { Logo } from '../ui/logo';
import { DEVTOOLS } from '../ui/use-footing';
import { useBeside } from '../ui/use-width';
import { ConnectionNote } from './connection-note';
import { Breadcrumbs } from './crumbs';
import type { Destination } from './destinations';
import { BottomNavigation, SideNavigation } from './navigation';
import { SlowPage } from './slow-page';
import { useStart } from './use-start';
import { UserMenu } from './user-menu';

const HomeLink = chakra(Link, { base: { borderRadius: 'button', textDecoration: 'none' } });

type FrameProps = {
  businessName: string;
  /** Pages of the current business. */
  here: Destination[];
  general: Destination[];
  switcher: ReactNode;
  /** Buttons in the header. */
  actions?: ReactNode;
  /** Shown below every page. */
  bar?: ReactNode;
  children: ReactNode;
};

/** The frame of every page behind the sign-in: navigation, header, and the page between them. */
export function Frame({ businessName, here, general, switcher, actions, bar, children }: FrameProps) {
  const groups = [
    ...(here.length > 0 ? [{ destinations: here }] : []),
    here.length > 0 ? { label: 'Beyond this business', destinations: general } : { destinations: general },
  ];
  const beside = useBeside();
  const start = useStart();
  return (
    <Flex minHeight="100dvh">
      <SkipLink />
      {beside && (
        <Flex
          as="aside"
          direction="column"
          gap="5"
          width="264px"
          flexShrink="0"
          position="sticky"
          top="0"
          height="100dvh"
          overflowY="auto"
          bg="bg.bar"
          borderRight="1px solid"
          borderColor="line"
          px="3"
          pt="4"
          pb={`calc(1rem + ${DEVTOOLS})`}
        >
          <HomeLink to={start} px="2" aria-label="Frontdesk, to the start">
            <Logo size={30} />
          </HomeLink>
          {switcher}
          <SideNavigation groups={groups} />
        </Flex>
      )}
      <Flex direction="column" flex="1" minWidth="0">
        <Flex
          as="header"
          align="center"
          gap={{ base: '1.5', sm: '3' }}
          minHeight="60px"
          px={{ base: '3', md: '8' }}
          bg="bg.bar"
          color="fg.toolbar"
          borderBottom="1px solid"
          borderColor="line"
          position="sticky"
          top="0"
          zIndex="bar"
        >
          {beside ? (
            <Box minWidth="0" flex="1">
              <Breadcrumbs businessName={businessName} />
            </Box>
          ) : (
            <Box minWidth="0" flex="1" maxWidth="22rem">
              {switcher}
            </Box>
          )}
          <Box marginInlineStart="auto" />
          <ConnectionNote />
          {actions}
          <UserMenu />
        </Flex>
        <Main>{children}</Main>
        {bar}
      </Flex>
      {!beside && (
        <BottomNavigation destinations={[...here, ...(here.length > 0 ? general.slice(0, 1) : general)]} />
      )}
    </Flex>
  );
}

/** Moves the focus to the new page's beginning, as a page load would. */
function Main({ children }: { children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return (
    <chakra.main
      ref={main}
      id="main"
      tabIndex={-1}
      flex="1"
      width="100%"
      maxWidth="1280px"
      mx="auto"
      px={{ base: '4', md: '8' }}
      pt={{ base: '5', md: '8' }}
      pb={{ base: `calc(6rem + ${DEVTOOLS})`, md: '12' }}
      outline="none"
    >
      <SlowPage>{children}</SlowPage>
    </chakra.main>
  );
}

function SkipLink() {
  return (
    <chakra.a
      href="#main"
      position="fixed"
      top="2"
      left="2"
      zIndex="skip"
      px="4"
      py="2"
      bg="bg.card"
      color="link"
      borderRadius="button"
      boxShadow="float"
      opacity="0"
      pointerEvents="none"
      _focusVisible={{ opacity: '1', pointerEvents: 'auto' }}
    >
      Skip to content
    </chakra.a>
  );
}
