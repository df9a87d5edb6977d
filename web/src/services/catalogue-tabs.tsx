import { may } from '../api/access';
import {
  AvailabilityAccess,
  DependencyAccess,
  PairingAccess,
  ResourceAccess,
  ServiceIntelligenceAccess,
} from '../gen/access';
import { TabLinks } from '../layout/tab-links';
import { paths } from '../paths';

export type CatalogueTab = 'Services' | 'Resources' | 'Rules' | 'Pairings' | 'Check a time' | 'Intelligence';

type CatalogueTabsProps = { businessId: string; role: string | undefined; current: CatalogueTab };

/** What belongs to the services of a business; nothing a person of this role would be refused. */
export function CatalogueTabs({ businessId, role, current }: CatalogueTabsProps) {
  const all: { label: CatalogueTab; to: string; allowed: boolean }[] = [
    { label: 'Services', to: paths.services(businessId), allowed: true },
    {
      label: 'Resources',
      to: paths.resources(businessId),
      allowed: may(ResourceAccess.listResources, role),
    },
    {
      label: 'Rules',
      to: paths.dependencies(businessId),
      allowed: may(DependencyAccess.listDependencies, role),
    },
    {
      label: 'Pairings',
      to: paths.pairings(businessId),
      allowed: may(PairingAccess.listPairings, role),
    },
    {
      label: 'Check a time',
      to: paths.scheduleCheck(businessId),
      allowed: may(AvailabilityAccess.explainAvailability, role),
    },
    {
      label: 'Intelligence',
      to: paths.intelligence(businessId),
      allowed: may(ServiceIntelligenceAccess.getServiceIntelligence, role),
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
