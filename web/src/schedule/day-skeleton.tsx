import { Flex, Stack } from '@chakra-ui/react';
import { Surface } from '../ui/card';
import { Bar, Loading } from '../ui/skeleton';

/** Heights of the cards that are about to stand there, by column. */
const COLUMNS = [
  [72, 110, 54],
  [120, 60],
  [54, 88, 72],
  [150, 48],
];

/** The placeholder of a day. */
export function DaySkeleton() {
  return (
    <Loading label="Loading the schedule">
      <Flex hideBelow="sm" justify="space-between" mb="6">
        <Bar width="14rem" height="2.75rem" />
        <Bar width="26rem" height="2.75rem" />
      </Flex>
      <Surface p="4">
        <Flex gap="4">
          {COLUMNS.map((cards, column) => (
            <Stack key={column} gap="4" flex="1" minWidth="0" hideBelow={column > 0 ? 'sm' : undefined}>
              <Bar width="70%" />
              <Bar width="45%" height="0.75rem" />
              {cards.map((height, card) => (
                <Bar key={card} height={`${height}px`} />
              ))}
            </Stack>
          ))}
        </Flex>
      </Surface>
    </Loading>
  );
}
