import { useState } from 'react';
import type { ProviderSystem } from '../gen/frontdesk/calendarsync/v1/provider_pb';
import { SelectField } from '../ui/select-field';
import { CredentialsDialog } from './credentials-dialog';

type ConnectDialogProps = {
  businessId: string;
  /** Those that can be connected. */
  systems: readonly ProviderSystem[];
  onClose: () => void;
};

/** Connects a booking system of choice. */
export function ConnectDialog({ businessId, systems, onClose }: ConnectDialogProps) {
  const [name, setName] = useState(systems[0]?.name ?? '');
  const system = systems.find((system) => system.name === name);
  if (!system) return null;
  return (
    <CredentialsDialog key={name} businessId={businessId} system={system} onClose={onClose}>
      <SelectField label="Booking system" value={name} onChange={(event) => setName(event.target.value)}>
        {systems.map(({ name }) => (
          <option key={name}>{name}</option>
        ))}
      </SelectField>
    </CredentialsDialog>
  );
}
