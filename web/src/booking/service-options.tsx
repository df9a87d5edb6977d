import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';

/** Services to choose from, by category. */
export function ServiceOptions({ services }: { services: Service[] }) {
  return categoriesOf(services).map(([category, members]) => (
    <optgroup key={category} label={category || 'Other services'}>
      {members.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  ));
}

function categoriesOf(services: Service[]): [string, Service[]][] {
  const groups = new Map<string, Service[]>();
  for (const service of services.filter(({ employeeIds }) => employeeIds.length > 0))
    groups.set(service.category, [...(groups.get(service.category) ?? []), service]);
  return [...groups];
}
