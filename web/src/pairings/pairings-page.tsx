import { Box, Stack } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { ChosenBusiness, useBusinessHere } from '../business/chosen-business';
import { useSearch } from '../finding/use-search';
import { PairingAccess } from '../gen/access';
import { Page } from '../layout/page';
import { CatalogueTabs } from '../services/catalogue-tabs';
import { useServices } from '../services/use-services';
import { Button } from '../ui/button';
import { SelectField } from '../ui/select-field';
import { HandMade } from './hand-made';
import { Measured } from './measured';
import { PairingDialog, type PairingWish } from './pairing-dialog';

export function Component() {
  const { businessId, role, chosen } = useBusinessHere();
  return (
    <Page
      title="Service pairings"
      lead="Services suggested when another is booked, and services that customers buy together anyway."
    >
      {!chosen && <CatalogueTabs businessId={businessId} role={role} current="Pairings" />}
      <ChosenBusiness>
        <Pairings key={businessId} businessId={businessId} role={role} />
      </ChosenBusiness>
    </Page>
  );
}

function Pairings({ businessId, role }: { businessId: string; role: string | undefined }) {
  const [search, changeSearch] = useSearch();
  const [wish, setWish] = useState<PairingWish>();
  const services = useServices(businessId).data?.pages.flatMap((page) => page.services) ?? [];
  const serviceId = search.get('service') ?? '';
  const mayAdd = may(PairingAccess.createPairing, role);

  const filter = (service: string) =>
    changeSearch(
      (search) => {
        if (service) search.set('service', service);
        else search.delete('service');
        return search;
      },
      { replace: true },
    );

  return (
    <Stack gap="6">
      <Box maxWidth="24rem">
        <SelectField label="Pairings of" value={serviceId} onChange={(event) => filter(event.target.value)}>
          <option value="">All services</option>
          {services.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </Box>
      <HandMade
        businessId={businessId}
        serviceId={serviceId}
        role={role}
        action={
          mayAdd && (
            <Button onClick={() => setWish({ serviceId, suggestedServiceId: '' })}>
              <Plus size={18} aria-hidden />
              New pairing
            </Button>
          )
        }
      />
      <Measured
        businessId={businessId}
        serviceId={serviceId}
        onSuggest={
          mayAdd ? (service, other) => setWish({ serviceId: service, suggestedServiceId: other }) : undefined
        }
      />
      {wish && (
        <PairingDialog
          businessId={businessId}
          services={services}
          wish={wish}
          onClose={() => setWish(undefined)}
        />
      )}
    </Stack>
  );
}
