import { may } from '../api/access';
import { AvailabilityService } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { DependencyService } from '../gen/frontdesk/scheduling/v1/dependency_pb';
import { ServiceIntelligenceService } from '../gen/frontdesk/scheduling/v1/intelligence_pb';
import { PairingService } from '../gen/frontdesk/scheduling/v1/pairing_pb';
import { ResourceService } from '../gen/frontdesk/scheduling/v1/resource_pb';
import { paths } from '../paths';
import { TabLinks } from '../shell/tab-links';

export type CatalogueTab = 'Services' | 'Resources' | 'Rules' | 'Pairings' | 'Check a time' | 'Intelligence';

type CatalogueTabsProps = { businessId: string; role: string | undefined; current: CatalogueTab };

/** What belongs to the services of a business; nothing a person of this role would be refused. */
export function CatalogueTabs({ businessId, role, current }: CatalogueTabsProps) {
  const all: { label: CatalogueTab; to: string; allowed: boolean }[] = [
    { label: 'Services', to: paths.services(businessId), allowed: true },
    {
      label: 'Resources',
      to: paths.resources(businessId),
      allowed: may(ResourceService.method.listResources, role),
    },
    {
      label: 'Rules',
      to: paths.dependencies(businessId),
      allowed: may(DependencyService.method.listDependencies, role),
    },
    {
      label: 'Pairings',
      to: paths.pairings(businessId),
      allowed: may(PairingService.method.listPairings, role),
    },
    {
      label: 'Check a time',
      to: paths.scheduleCheck(businessId),
      allowed: may(AvailabilityService.method.explainAvailability, role),
    },
    {
      label: 'Intelligence',
      to: paths.intelligence(businessId),
      allowed: may(ServiceIntelligenceService.method.getServiceIntelligence, role),
    },
  ];
  const tabs = all.filter(({ allowed }) => allowed);
  if (tabs.length < 2) return null;
  return (
    <TabLinks
      label="Parts of the catalogue"
      tabs={tabs.map(({ label, to }) => ({ label, to, current: label === current }))}
    />
  );
}
