import { Flex, Stack } from '@chakra-ui/react';
import { UserX } from 'lucide-react';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { ProviderConnectionAccess } from '../gen/access';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { type Unmapped, unmappedText } from '../providers/unmapped';
import { Muted, Text } from '../ui/text';
import { ownerOf } from './due';
import { RowFrame } from './row-frame';

type UnmappedRowProps = { businessId: string; unmapped: Unmapped };

/** People of the booking system who are mapped to no one: their time there is not kept free here. */
export function UnmappedRow({ businessId, unmapped }: UnmappedRowProps) {
  return (
    <RowFrame>
      <Flex flexShrink="0" width="40px" justify="center" color="fg.muted">
        <UserX size={22} aria-hidden />
      </Flex>
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">{unmappedText(unmapped)}</Text>
        <Muted>Their appointments there keep no time free here, and bookings here do not reach them.</Muted>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner due={undefined} owner={ownerOf(ProviderConnectionAccess.mapProviderRecord)} />
        </Flex>
      </Stack>
      <ButtonLink to={paths.providerSync(businessId)}>Say who they are</ButtonLink>
    </RowFrame>
  );
}
