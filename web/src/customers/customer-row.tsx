import { Flex, Grid, Stack } from '@chakra-ui/react';
import { CONTACT_HIDDEN, NUMBER_HIDDEN } from '../business/contact-policy';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { RowLink } from '../layout/links';
import { paths } from '../paths';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { phoneText } from '../ui/phone';
import { Figures, Muted } from '../ui/text';

/** One customer in a list: who, how to reach them, what they are filed under. */
export function CustomerRow({ businessId, customer }: { businessId: string; customer: Customer }) {
  const { id, name, phone, email, tags, contactHidden } = customer;
  const none = contactHidden ? NUMBER_HIDDEN : 'No phone number';
  return (
    <Grid
      position="relative"
      gridTemplateColumns={{
        base: '40px minmax(0, 1fr)',
        md: '40px minmax(0, 5fr) minmax(0, 3fr)',
        lg: '40px minmax(0, 5fr) minmax(0, 3fr) minmax(0, 4fr)',
      }}
      columnGap="4"
      rowGap="1"
      alignItems="center"
      px={{ base: '4', sm: '6' }}
      py="3"
      borderTop="1px solid"
      borderColor="line"
      transition="colors"
      _hover={{ bg: 'bg.hover' }}
    >
      <Avatar name={name} size="40px" />
      <Stack gap="0" minWidth="0">
        <RowLink to={paths.customer(businessId, id)}>{name}</RowLink>
        <Muted hideFrom="md" fontSize="0.875rem">
          {phone ? <Figures>{phoneText(phone)}</Figures> : email || none}
        </Muted>
        <Muted hideBelow="md" fontSize="0.875rem">
          {email}
        </Muted>
      </Stack>
      <Muted hideBelow="md" title={contactHidden ? CONTACT_HIDDEN : undefined}>
        {phone ? <Figures>{phoneText(phone)}</Figures> : none}
      </Muted>
      <Flex hideBelow="lg" justify="flex-end" minWidth="0">
        <Tags tags={tags} />
      </Flex>
    </Grid>
  );
}

/** What a customer is filed under. */
export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <Flex as="ul" listStyleType="none" gap="1.5" wrap="wrap" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag}>
          <Badge tone="violet">{tag}</Badge>
        </li>
      ))}
    </Flex>
  );
}
