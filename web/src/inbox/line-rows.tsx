import { Flex, Stack } from '@chakra-ui/react';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import { AgentPublicationAccess } from '../gen/access';
import type { AgentPublication } from '../gen/frontdesk/tenancy/v1/agent_publication_pb';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { ownerOf } from './due';
import { lineTexts } from './line-text';
import { RowFrame } from './row-frame';

type LineRowProps = { businessId: string; publication: AgentPublication };

/** A voice connection on which something is broken: what, and the way to its cure. */
export function LineRow({ businessId, publication }: LineRowProps) {
  const { label } = publication;
  return (
    <RowFrame>
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">The line “{label}” needs you</Text>
        <Muted>{lineTexts(publication).join(' ')}</Muted>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner due={undefined} owner={ownerOf(AgentPublicationAccess.publishToPlatform)} />
        </Flex>
      </Stack>
      <ButtonLink to={paths.agent(businessId)}>
        Agent settings
        <ScreenReaderOnly> for {label}</ScreenReaderOnly>
      </ButtonLink>
    </RowFrame>
  );
}
