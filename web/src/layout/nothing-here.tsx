import { Flex, Stack } from '@chakra-ui/react';
import { Compass } from 'lucide-react';
import { useLocation, useParams } from 'react-router';
import { paths } from '../paths';
import { useSession } from '../session/use-session';
import { H1, Muted } from '../ui/text';
import { ButtonLink } from './links';

/** Shown for an unknown address, and for a record without access: the two look the same on purpose. */
export default function NothingHere() {
  const { user, cachedUser } = useSession();
  const person = user ?? cachedUser;
  const { businessId = '' } = useParams();
  const { pathname } = useLocation();
  // A record that is gone: its business is still there.
  const isOwn = person?.businessIds.includes(businessId) && pathname !== paths.business(businessId);
  const own = isOwn ? businessId : undefined;
  return (
    <Flex direction="column" align="center" textAlign="center" px="4" py={{ base: '12', md: '20' }}>
      <title>Page not found · Frontdesk</title>
      <Stack gap="4" align="center" maxWidth="28rem">
        <Flex p="4" borderRadius="full" bg="brand.subtle" color="brand.fg">
          <Compass size={30} aria-hidden />
        </Flex>
        <H1>Page not found</H1>
        <Muted>The address may be mistyped, or the page belongs to a business you are not part of.</Muted>
        <Flex gap="3" mt="2" wrap="wrap" justify="center">
          {own && <ButtonLink to={paths.business(own)}>To this business’s home</ButtonLink>}
          <ButtonLink to={person ? paths.myBusinesses : paths.root}>
            {person ? 'Your businesses' : 'To the start'}
          </ButtonLink>
        </Flex>
      </Stack>
    </Flex>
  );
}
