import { Box, Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { Outlet, useLocation, useMatches } from 'react-router';
import { may } from './api/access';
import { fetchedAhead } from './api/fetched-ahead';
import { afterwards } from './api/warm';
import { BookingButtons } from './booking/booking-buttons';
import { BusinessSwitcher } from './business/business-switcher';
import { OpenSearch } from './business/open-search';
import { businessQuery, useBusinessRole } from './business/queries';
import { AppointmentAccess, CallAccess, MemberAccess } from './gen/access';
import type { RouteHandle } from './layout/crumbs';
import { businessDestinations, type CountPlace, generalDestinations } from './layout/destinations';
import { Frame } from './layout/frame';
import { NotFoundPage } from './layout/not-found';
import { useOpenVisit, VISIT_PARAMETER } from './layout/visit-link';
import { followed } from './live/followed';
import { useLive } from './live/use-live';
import { isId } from './paths';
import { Search } from './search/search';
import { SearchButton } from './search/search-button';
import { isAdmin, type Role } from './session/roles';
import { useSession } from './session/use-session';
import { DAY_STEPS } from './setup/steps';
import { Protected } from './sign-in/protected';
import { undos } from './ui/undos';
import { useShortcuts } from './ui/use-shortcuts';

const CallBar = lazy(() =>
  afterwards(() => import('./calls/call-bar')).then(({ CallBar }) => ({ default: CallBar })),
);
const CallsButton = lazy(() =>
  afterwards(() => import('./calls/calls-button')).then(({ CallsButton }) => ({ default: CallsButton })),
);
const VisitDrawer = fetchedAhead(() => import('./visit/visit-drawer').then(({ VisitDrawer }) => VisitDrawer));
const ShortcutsDialog = fetchedAhead(() =>
  import('./ui/shortcuts-dialog').then(({ ShortcutsDialog }) => ShortcutsDialog),
);
const Checklist = lazy(() =>
  afterwards(() => import('./setup/checklist')).then(({ Checklist }) => ({ default: Checklist })),
);
const InboxCount = lazy(() =>
  afterwards(() => import('./inbox/inbox-count')).then(({ InboxCount }) => ({ default: InboxCount })),
);

/** Everything behind the sign-in: the frame, and the page in it. */
export function Component() {
  const matches = useMatches();
  const { businessId } = matches.at(-1)?.params ?? {};
  if (businessId !== undefined && !isId(businessId)) return <NotFoundPage />;
  const handles = matches.map(({ handle }) => handle as RouteHandle | undefined);
  return (
    <Protected>
      <Workplace
        businessId={businessId}
        roles={handles.findLast((handle) => handle?.roles)?.roles}
        showsVisit={handles.some((handle) => handle?.showsVisit)}
        showsChecklist={handles.some((handle) => handle?.showsChecklist)}
      />
    </Protected>
  );
}

type WorkplaceProps = {
  businessId: string | undefined;
  roles: readonly Role[] | undefined;
  /** The page shows the visit of the address itself. */
  showsVisit: boolean;
  showsChecklist: boolean;
};

function Workplace({ businessId, roles, showsVisit, showsChecklist }: WorkplaceProps) {
  const { user, cachedUser } = useSession();
  const person = user ?? cachedUser;
  const role = person?.role ?? '';
  // An administrator's pages name their business in the address's query.
  const chosen = new URLSearchParams(useLocation().search).get('business') ?? undefined;
  const own = person?.businessIds ?? [];
  // On the pages of their own, people with one business keep its navigation.
  const framed = businessId ?? (!isAdmin(role) && own.length === 1 ? own[0] : undefined);
  const visited = [framed, chosen].filter(isId).filter((id) => isAdmin(role) || own.includes(id));
  useLive(followed(visited, own), user !== null);
  const about = businessId ?? (isAdmin(role) ? chosen : undefined);
  const page = (
    <Protected roles={roles}>
      {/* Siblings of one key would outlive the page. */}
      {isId(about) && showsChecklist && <LeftToSetUp key={`setup ${about}`} businessId={about} />}
      <Outlet />
      {isId(about) && !showsVisit && <OpenVisit key={`visit ${about}`} businessId={about} />}
    </Protected>
  );
  return framed ? (
    <BusinessFrame businessId={framed} role={role}>
      {page}
    </BusinessFrame>
  ) : (
    <Frame
      businessName=""
      here={[]}
      general={generalDestinations(role)}
      switcher={<BusinessSwitcher businessId={undefined} businessName="" role={role} />}
    >
      {page}
    </Frame>
  );
}

/** What an owner or an administrator still has to set up, above the pages that are empty without it. */
function LeftToSetUp({ businessId }: { businessId: string }) {
  const membership = useBusinessRole(businessId);
  if (membership.kind !== 'member' || !may(MemberAccess.listMembers, membership.role)) return null;
  return (
    <Suspense>
      <Box mb="6" _empty={{ display: 'none' }}>
        <Checklist businessId={businessId} role={membership.role} until={DAY_STEPS} />
      </Box>
    </Suspense>
  );
}

/** The drawer of the visit that the address names, over whatever page is shown. */
function OpenVisit({ businessId }: { businessId: string }) {
  const membership = useBusinessRole(businessId);
  const visitId = new URLSearchParams(useLocation().search).get(VISIT_PARAMETER) ?? undefined;
  const open = useOpenVisit();
  if (!isId(visitId) || membership.kind !== 'member') return null;
  if (!may(AppointmentAccess.getAppointment, membership.role)) return null;
  return (
    <VisitDrawer
      key={visitId}
      businessId={businessId}
      appointmentId={visitId}
      role={membership.role}
      onClose={() => open('')}
    />
  );
}

type BusinessFrameProps = { businessId: string; role: string; children: ReactNode };

/** The frame of a business's pages, with what its nouns show on all of them. */
function BusinessFrame({ businessId, role, children }: BusinessFrameProps) {
  const membership = useBusinessRole(businessId);
  const roleHere = membership.kind === 'member' ? membership.role : undefined;
  const mayFind = may(AppointmentAccess.listAppointments, roleHere);
  const [searching, setSearching] = useState(false);
  const openSearch = useCallback(() => setSearching(true), []);
  const closeSearch = useCallback(() => setSearching(false), []);
  const search = mayFind ? { what: 'Search', run: openSearch } : undefined;
  const [keysShown, setKeysShown] = useState(false);
  useShortcuts(
    {
      'Ctrl+z': { what: 'Undo the latest change', run: () => void undos.undo(), inDrawer: true },
      'Ctrl+k': search,
      '/': search,
      '?': { what: 'These shortcuts', run: () => setKeysShown(true) },
    },
    'shell',
  );
  const businessName = useQuery(businessQuery(businessId)).data?.business?.name ?? '';
  const inboxCount = (at: CountPlace) => (
    <Suspense>
      <InboxCount businessId={businessId} at={at} />
    </Suspense>
  );
  return (
    <Frame
      businessName={businessName}
      here={roleHere ? businessDestinations(businessId, roleHere, inboxCount) : []}
      general={generalDestinations(role)}
      switcher={<BusinessSwitcher businessId={businessId} businessName={businessName} role={role} />}
      actions={
        roleHere && (
          <Flex gap="2" flexShrink="0">
            {may(CallAccess.listCalls, roleHere) && (
              <Suspense>
                <CallsButton businessId={businessId} />
              </Suspense>
            )}
            {mayFind && <SearchButton onClick={openSearch} />}
            <BookingButtons key={businessId} businessId={businessId} role={roleHere} />
          </Flex>
        )
      }
      bar={
        may(CallAccess.listCalls, roleHere) && (
          <Suspense>
            <CallBar key={businessId} businessId={businessId} />
          </Suspense>
        )
      }
    >
      <OpenSearch value={mayFind ? openSearch : undefined}>{children}</OpenSearch>
      {searching && roleHere && <Search businessId={businessId} role={roleHere} onClose={closeSearch} />}
      {keysShown && <ShortcutsDialog onClose={() => setKeysShown(false)} />}
    </Frame>
  );
}
