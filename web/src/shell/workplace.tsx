import { Box, chakra, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation, useMatches } from 'react-router';
import { may } from '../api/access';
import { afterwards } from '../api/warm';
import { businessQuery, useBusinessRole } from '../businesses/queries';
import { CallAccess } from '../gen/access';
import { useLive } from '../live/use-live';
import { isId, paths } from '../paths';
import { Protected } from '../session/protected';
import { isAdmin, type Role } from '../session/roles';
import { useSession } from '../session/use-session';
import { Logo } from '../ui/logo';
import { useBeside } from '../ui/use-width';
import { BookingButtons } from './booking-buttons';
import { BusinessSwitcher } from './business-switcher';
import { ConnectionNote } from './connection-note';
import { Breadcrumbs, type RouteHandle } from './crumbs';
import { businessDestinations, generalDestinations } from './destinations';
import { BottomNavigation, SideNavigation } from './navigation';
import { NotFoundPage } from './not-found';
import { SlowPage } from './slow-page';
import { UserMenu } from './user-menu';

const CallBar = lazy(() =>
  afterwards(() => import('../calls/call-bar')).then(({ CallBar }) => ({ default: CallBar })),
);

const HomeLink = chakra(Link, { base: { borderRadius: 'button', textDecoration: 'none' } });

/** Everything behind the sign-in: the frame, and the page in it. */
export function Component() {
  const matches = useMatches();
  const { businessId } = matches.at(-1)?.params ?? {};
  if (businessId !== undefined && !isId(businessId)) return <NotFoundPage />;
  const handles = matches.map(({ handle }) => handle as RouteHandle | undefined);
  return (
    <Protected>
      <Shell businessId={businessId} roles={handles.findLast((handle) => handle?.roles)?.roles} />
    </Protected>
  );
}

type ShellProps = { businessId: string | undefined; roles: readonly Role[] | undefined };

function Shell({ businessId, roles }: ShellProps) {
  const { user, cachedUser } = useSession();
  const person = user ?? cachedUser;
  const role = person?.role ?? '';
  // An administrator's pages name their business in the address's query.
  const chosen = new URLSearchParams(useLocation().search).get('business') ?? undefined;
  const visited = isAdmin(role) ? [businessId, chosen].filter(isId) : [];
  useLive([...(person?.businessIds ?? []), ...visited], user !== null);
  const page = (
    <Protected roles={roles}>
      <Outlet />
    </Protected>
  );
  return businessId ? (
    <BusinessFrame businessId={businessId} role={role}>
      {page}
    </BusinessFrame>
  ) : (
    <Frame role={role} businessName="">
      {page}
    </Frame>
  );
}

type BusinessFrameProps = { businessId: string; role: string; children: ReactNode };

function BusinessFrame({ businessId, role, children }: BusinessFrameProps) {
  const businessName = useQuery(businessQuery(businessId)).data?.business?.name ?? '';
  const here = useBusinessRole(businessId);
  return (
    <Frame
      role={role}
      businessId={businessId}
      businessName={businessName}
      roleHere={here.kind === 'member' ? here.role : undefined}
    >
      {children}
    </Frame>
  );
}

type FrameProps = {
  role: string;
  businessId?: string;
  businessName: string;
  roleHere?: string | undefined;
  children: ReactNode;
};

function Frame({ role, businessId, businessName, roleHere, children }: FrameProps) {
  const here = businessId && roleHere ? businessDestinations(businessId, roleHere) : [];
  const general = generalDestinations(role);
  const groups = [
    ...(here.length > 0 ? [{ destinations: here }] : []),
    here.length > 0 ? { label: 'Beyond this business', destinations: general } : { destinations: general },
  ];
  const beside = useBeside();
  const switcher = <BusinessSwitcher businessId={businessId} businessName={businessName} role={role} />;
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
          py="4"
        >
          <HomeLink to={paths.root} px="2" aria-label="Frontdesk, to the start">
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
          gap="3"
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
          {businessId && roleHere && (
            <BookingButtons key={businessId} businessId={businessId} role={roleHere} />
          )}
          <UserMenu />
        </Flex>
        <Main>{children}</Main>
        {businessId && may(CallAccess.listCalls, roleHere) && (
          <Suspense>
            <CallBar key={businessId} businessId={businessId} />
          </Suspense>
        )}
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
      pb={{ base: '24', md: '12' }}
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
