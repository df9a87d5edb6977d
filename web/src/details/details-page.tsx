import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router';
import { type LeastRole, may } from '../api/access';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { Allowed } from '../business/allowed';
import { businessQuery, openingHoursQuery } from '../business/queries';
import { useZone } from '../business/use-zone';
import {
  AuditAccess,
  BusinessAccess,
  CalendarAccess,
  CallAccess,
  EmployeeAccess,
  ScheduleAccess,
} from '../gen/access';
import { Page } from '../layout/page';
import { PageSkeleton } from '../layout/skeletons';
import { TabLinks } from '../layout/tab-links';
import { paths } from '../paths';
import { AgentTab } from './agent-tab';
import { AuditTab } from './audit/audit-tab';
import { BusinessTab } from './business-tab';
import { HoursTab } from './hours-tab';
import { IntegrationsTab } from './integrations-tab';
import type { TabProps } from './tab-props';
import { TeamTab } from './team-tab';

const TABS: readonly {
  label: string;
  key: 'team' | 'hours' | 'agent' | 'integrations' | 'audit' | undefined;
  least: LeastRole;
  Tab: ComponentType<TabProps>;
}[] = [
  { label: 'Business', key: undefined, least: BusinessAccess.getBusiness, Tab: BusinessTab },
  { label: 'Team', key: 'team', least: EmployeeAccess.listEmployees, Tab: TeamTab },
  { label: 'Hours', key: 'hours', least: ScheduleAccess.getOpeningHours, Tab: HoursTab },
  { label: 'Agent', key: 'agent', least: CallAccess.listCalls, Tab: AgentTab },
  { label: 'Integrations', key: 'integrations', least: CalendarAccess.listCalendars, Tab: IntegrationsTab },
  { label: 'Changes', key: 'audit', least: AuditAccess.listAuditEntries, Tab: AuditTab },
];

export function loader({ params }: LoaderFunctionArgs) {
  const { businessId = '' } = params;
  return warm(() => [
    queries.prefetchQuery(businessQuery(businessId)),
    queries.prefetchQuery(openingHoursQuery(businessId)),
  ]);
}

export function Component() {
  const { businessId = '' } = useParams();
  return (
    <Allowed
      businessId={businessId}
      least={BusinessAccess.getBusiness}
      waiting={<PageSkeleton kind="businessDetail" />}
    >
      {(role) => <Details key={businessId} businessId={businessId} role={role} />}
    </Allowed>
  );
}

function Details({ businessId, role }: { businessId: string; role: string }) {
  const [search] = useSearchParams();
  const zone = useZone(businessId);
  const name = useQuery(businessQuery(businessId)).data?.business?.name || 'this business';
  const tabs = TABS.filter(({ least }) => may(least, role));
  const current = tabs.find(({ key }) => key === (search.get('tab') ?? undefined)) ?? tabs[0];
  if (!current) return null;
  const { Tab, label } = current;
  return (
    <Page
      title="Details"
      tab={current.key ? `${label} · Details` : 'Details'}
      lead={`What ${name} is, who works there and when it is open.`}
    >
      <TabLinks
        label="Parts of the details"
        tabs={tabs.map((tab) => ({
          label: tab.label,
          to: paths.details(businessId, tab.key),
          current: tab === current,
        }))}
      />
      <Tab businessId={businessId} role={role} zone={zone} />
    </Page>
  );
}
