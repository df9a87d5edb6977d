import { ServiceOptions } from '../booking/service-options';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { SelectField } from '../ui/select-field';

type FreeTimesForProps = {
  services: Service[];
  serviceId: string;
  /** Where there is little room. */
  short?: boolean;
  onService: (serviceId: string) => void;
};

/** The service whose free times the columns show. */
export function FreeTimesFor({ services, serviceId, short = false, onService }: FreeTimesForProps) {
  return (
    <SelectField
      label="Free times for"
      silent
      look="tool"
      maxWidth="14rem"
      value={serviceId}
      onChange={(event) => onService(event.currentTarget.value)}
    >
      <option value="">{short ? 'Free times' : 'Free times for…'}</option>
      <ServiceOptions services={services} />
    </SelectField>
  );
}
