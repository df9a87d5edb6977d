import { Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Allowed } from '../business/allowed';
import { useZone } from '../business/use-zone';
import { useSearch } from '../finding/use-search';
import { ServiceIntelligenceAccess } from '../gen/access';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { PageSkeleton } from '../layout/skeletons';
import { useServices } from '../services/use-services';
import { dayKey } from '../time/zoned';
import { Surface } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { useNow } from '../ui/use-now';
import { FiguresPart, NoDates } from './figures-part';
import { Filters } from './filters';
import { PhraseInbox } from './phrase-inbox';
import { problemOf, searchOf, type Wish, wishOf } from './wish';

const MINUTE_MS = 60_000;

type IntelligenceProps = {
  businessId: string;
  /** What stands between the heading and the rest. */
  above: (role: string) => ReactNode;
};

/** Figures of services, unmet demand, and phrases of callers that match no service. */
export function Intelligence({ businessId, above }: IntelligenceProps) {
  return (
    <Allowed
      businessId={businessId}
      least={ServiceIntelligenceAccess.getServiceIntelligence}
      waiting={<PageSkeleton kind="dashboard" />}
    >
      {(role) => <Whole businessId={businessId} role={role} above={above(role)} />}
    </Allowed>
  );
}

type WholeProps = { businessId: string; role: string; above: ReactNode };

function Whole({ businessId, role, above }: WholeProps) {
  const [search, changeSearch] = useSearch();
  const today = dayKey(useNow(MINUTE_MS), useZone(businessId));
  const services = useServices(businessId);
  const wish = wishOf(search, today);
  const problem = problemOf(wish.dates);
  const change = (changed: Partial<Wish>) =>
    changeSearch((before) => searchOf({ ...wishOf(before, today), ...changed }, before), { replace: true });
  return (
    <Page
      title="Service intelligence"
      tab="Intelligence"
      lead="What each service brings, how long it takes, and which demand stays unmet."
    >
      {above}
      <Reading
        query={services}
        what="The services"
        framed
        missingIsPage
        skeleton={
          <Surface>
            <RowsSkeleton rows={6} label="Loading services" />
          </Surface>
        }
      >
        {({ pages }) => {
          const all = pages.flatMap((page) => page.services);
          const categories = [...new Set(all.map(({ category }) => category))].filter(Boolean).sort();
          return (
            <Stack gap="6">
              <PhraseInbox businessId={businessId} role={role} services={all} />
              <Filters
                wish={wish}
                problem={problem}
                categories={categories}
                today={today}
                onChange={change}
              />
              {problem ? <NoDates /> : <FiguresPart businessId={businessId} wish={wish} services={all} />}
            </Stack>
          );
        }}
      </Reading>
    </Page>
  );
}
