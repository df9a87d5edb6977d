import { Flex } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ButtonLink } from '../layout/links';
import { Text } from '../ui/text';
import { ReadBusinessMark } from './business-mark';
import { businessQuery } from './queries';

type BusinessInHandProps = {
  businessId: string;
  /** Where another one is chosen. */
  choose: string;
};

/** Which business an administrator is looking at, and the way to another. */
export function BusinessInHand({ businessId, choose }: BusinessInHandProps) {
  const business = useQuery(businessQuery(businessId)).data?.business;
  const name = business?.name ?? '';
  return (
    <Flex align="center" gap="3" wrap="wrap">
      <ReadBusinessMark businessId={businessId} name={name} />
      <Text fontWeight="600" flex="0 1 auto" minWidth="0">
        {name || 'This business'}
      </Text>
      <ButtonLink to={choose} variant="quiet">
        Another business
      </ButtonLink>
    </Flex>
  );
}
