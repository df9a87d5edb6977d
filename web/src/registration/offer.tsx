import { Box, Flex } from '@chakra-ui/react';
import type { Invitation } from '../session/door';
import { roleName } from '../session/roles';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { Muted, Text } from '../ui/text';

/** The salon and the place in it. */
export function Offer({ offer }: { offer: Invitation }) {
  const name = offer.businessName || 'A salon on Frontdesk';
  return (
    <Flex align="center" gap="4" p="4" bg="bg.sunken" borderRadius="card">
      <Avatar name={name} size="44px" />
      <Box flex="1" minWidth="0">
        <Text fontWeight="600">{name}</Text>
        <Muted pb="1.5">invites {offer.email}</Muted>
        <Badge tone="brand">{roleName(offer.role)}</Badge>
      </Box>
    </Flex>
  );
}
