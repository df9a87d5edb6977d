import { Box, Flex, Stack } from '@chakra-ui/react';
import type { Column, Person } from '../../day/columns';
import { hoursOf, type PictureColumn, picturesOf } from '../../day/day-picture';
import { minuteText } from '../../day/opening';
import { overlap, type Span } from '../../day/spans';
import type { DayVisit } from '../../gen/frontdesk/scheduling/v1/day_pb';
import type { ProposalLine } from '../../gen/frontdesk/scheduling/v1/proposal_pb';
import { initialsOf } from '../../ui/avatar';
import { Muted } from '../../ui/text';

const HEIGHT_PX = 200;
/** Pixels below which initials are cut off. */
const LEGIBLE_PX = 13;

type DayPicturesProps = {
  lines: readonly ProposalLine[];
  day: string;
  zone: string;
  columns: readonly Column[];
  visits: readonly DayVisit[];
  employees: readonly Person[];
};

/** The columns that would change, before and after, on one clock. What changes is said by the lines below. */
export function DayPictures({ lines, ...known }: DayPicturesProps) {
  const { before, after } = picturesOf(lines, known);
  if (before.length === 0) return null;
  const hours = hoursOf([...before, ...after]);
  return (
    <Flex gap="3">
      <Picture title="Now" columns={before} hours={hours} />
      <Picture title="Then" columns={after} hours={hours} />
    </Flex>
  );
}

function Picture({ title, columns, hours }: { title: string; columns: PictureColumn[]; hours: Span }) {
  const names = new Intl.ListFormat('en-GB').format(columns.map(({ name }) => name));
  return (
    <Stack as="figure" gap="1" flex="1" minWidth="0" role="img" aria-label={`${title}: the day of ${names}`}>
      <Muted as="figcaption" fontSize="0.8125rem" fontWeight="550">
        {title}
      </Muted>
      <Flex border="1px solid" borderColor="line" borderRadius="field" overflow="hidden" aria-hidden>
        {columns.map((column, index) => (
          <Box
            key={column.employeeId}
            flex="1"
            minWidth="0"
            borderInlineStart={index > 0 ? '1px solid' : undefined}
            borderColor="line"
          >
            <Box
              fontSize="0.6875rem"
              fontWeight="600"
              textAlign="center"
              truncate
              py="0.5"
              title={column.name}
            >
              {initialsOf(column.name)}
            </Box>
            <Small column={column} hours={hours} />
          </Box>
        ))}
      </Flex>
    </Stack>
  );
}

function Small({ column, hours }: { column: PictureColumn; hours: Span }) {
  const pxPerMinute = HEIGHT_PX / (hours.to - hours.from);
  const place = ({ from, to }: Span) => ({
    top: (Math.max(from, hours.from) - hours.from) * pxPerMinute,
    height: (Math.min(to, hours.to) - Math.max(from, hours.from)) * pxPerMinute,
  });
  return (
    <Box position="relative" style={{ height: HEIGHT_PX }} borderTop="1px solid" borderColor="line">
      {column.closed
        .filter((span) => overlap(span, hours))
        .map((span) => (
          <Box key={span.from} position="absolute" insetX="0" bg="bg.sunken" style={place(span)} />
        ))}
      {column.cards.map((card) => {
        const { top, height } = place(card);
        return (
          <Box
            key={card.key}
            position="absolute"
            overflow="hidden"
            px="0.5"
            fontSize="0.6875rem"
            lineHeight="1.15"
            fontWeight={card.changed ? '650' : '400'}
            borderRadius="3px"
            border="1px solid"
            borderColor={card.changed ? 'brand.fg' : 'line'}
            bg={card.changed ? 'brand.subtle' : 'quiet.subtle'}
            color={card.changed ? 'brand.fg' : 'fg.muted'}
            title={`${card.name}, ${minuteText(card.from)} – ${minuteText(card.to)}`}
            style={{
              top,
              height: Math.max(3, height - 1),
              left: `${(100 * card.lane) / card.lanes}%`,
              width: `${100 / card.lanes}%`,
            }}
          >
            {height >= LEGIBLE_PX && initialsOf(card.name)}
          </Box>
        );
      })}
    </Box>
  );
}
