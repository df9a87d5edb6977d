import { chakra, Flex } from '@chakra-ui/react';
import { PenLine, TriangleAlert } from 'lucide-react';
import type { Span } from '../day/spans';
import { Figures } from '../ui/text';
import { type Cell, cellText } from './cells';
import { HoursAxis } from './hours-axis';

type CellFaceProps = {
  cell: Cell;
  shown: Span;
  /** Among other days a dash says enough of a day without work; alone it says nothing. */
  alone?: boolean;
};

/** What an employee's day looks like; the words for screen readers are elsewhere. */
export function CellFace({ cell, shown, alone = false }: CellFaceProps) {
  const { working, off, closed, own, outside } = cell;
  const quiet = working.length === 0;
  return (
    <chakra.span aria-hidden display="flex" flexDirection="column" gap="1.5">
      <Flex as="span" gap="1" align="center" minHeight="5" color={quiet ? 'fg.muted' : 'fg'}>
        <Figures lineClamp="2" fontWeight={own ? '600' : '450'}>
          {quiet && off.length === 0 && !closed && !own && !alone ? '–' : cellText(cell)}
        </Figures>
        {own && (
          <chakra.span marginInlineStart="auto" color="info.fg" flexShrink="0" title="Hours of this date">
            <PenLine size={13} aria-hidden />
          </chakra.span>
        )}
      </Flex>
      {(!quiet || off.length > 0 || outside.length > 0) && !closed && <HoursAxis cell={cell} shown={shown} />}
      {outside.length > 0 && (
        <Flex as="span" gap="1" align="center" color="bad.fg" fontWeight="600" whiteSpace="nowrap">
          <TriangleAlert size={13} aria-hidden />
          {outside.length} to move
        </Flex>
      )}
    </chakra.span>
  );
}
