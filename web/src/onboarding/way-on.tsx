import { Flex } from '@chakra-ui/react';
import { TextLink } from '../layout/links';
import { landingOf } from '../session/landing';
import type { User } from '../session/user';

/** Leaves the flow for the person's work: a calendar can be connected later as well. */
export function WayOn({ user }: { user: User }) {
  return (
    <Flex justify="center" fontSize="0.9375rem">
      <TextLink to={landingOf(user)}>Go on without connecting</TextLink>
    </Flex>
  );
}
