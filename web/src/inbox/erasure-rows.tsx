import { Flex, Stack } from '@chakra-ui/react';
import { waitsText } from '../customers/erasure-text';
import { DueAndOwner } from '../follow-ups/due-and-owner';
import type { Erasure } from '../gen/frontdesk/tenancy/v1/erasure_pb';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { dateAndTime, moment } from '../time/zoned';
import { Muted, Text } from '../ui/text';
import { ownerOf } from './due';
import { RowFrame } from './row-frame';

type ErasureRowProps = { businessId: string; erasure: Erasure; zone: string };

/** An erasure that does not end: since when, and what it waits for. */
export function ErasureRow({ businessId, erasure, zone }: ErasureRowProps) {
  const begun = moment(erasure.begunAt);
  return (
    <RowFrame>
      <Stack gap="0" flex="1 1 16rem" minWidth="0">
        <Text fontWeight="600">
          An erasure begun{begun && ` on ${dateAndTime(begun, zone)}`} has not ended
        </Text>
        <Muted>{waitsText(erasure)} It goes on by itself once that is possible.</Muted>
        <Flex columnGap="3" rowGap="1" wrap="wrap" align="center">
          <DueAndOwner due={undefined} owner={ownerOf('OWNER')} />
        </Flex>
      </Stack>
      <ButtonLink to={paths.customer(businessId, erasure.customerId)}>Show the erasure</ButtonLink>
    </RowFrame>
  );
}
