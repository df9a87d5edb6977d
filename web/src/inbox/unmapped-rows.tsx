import { Flex, Stack } from '@chakra-ui/react';
import { Scissors, UserX } from 'lucide-react';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { ProviderConnectionAccess } from '../gen/access';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import {
  type Unmapped,
  unmappedPeopleText,
  unmappedServicesEffect,
  unmappedServicesText,
} from '../providers/unmapped';
import { Muted, Text } from '../ui/text';
import { ownerOf } from './due';
import { RowFrame } from './row-frame';

type UnmappedRowProps = { businessId: string; unmapped: Unmapped };

/** What the mapping of a booking system lacks: people there, whose time is not kept free here, and services here. */
export function UnmappedRow({ businessId, unmapped }: UnmappedRowProps) {
  const { people, services } = unmapped;
  const Icon = people.length > 0 ? UserX : Scissors;
  return (
    <RowFrame>
      <Flex flexShrink="0" width="40px" justify="center" color="fg.muted">
        <Icon size={22} aria-hidden />
      </Flex>
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        {people.length > 0 && (
          <>
            <Text fontWeight="600">{unmappedPeopleText(unmapped)}</Text>
            <Muted>
              Their appointments there keep no time free here, and bookings here do not reach them.
            </Muted>
          </>
        )}
        {services.length > 0 && (
          <>
            <Text fontWeight="600">{unmappedServicesText(unmapped)}</Text>
            <Muted>{unmappedServicesEffect(unmapped.connection, services.length)}</Muted>
          </>
        )}
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner due={undefined} owner={ownerOf(ProviderConnectionAccess.mapProviderRecord)} />
        </Flex>
      </Stack>
      <ButtonLink to={paths.providerSync(businessId)}>
        {services.length > 0 ? 'Map them' : 'Say who they are'}
      </ButtonLink>
    </RowFrame>
  );
}
