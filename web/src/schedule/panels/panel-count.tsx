import { chakra } from '@chakra-ui/react';
import { ScreenReaderOnly } from '../../ui/text';
import type { PanelKind } from './panels';

/** The panels whose content needs attention today. */
const PRESSING: ReadonlySet<PanelKind> = new Set(['stranded', 'conflicts']);

/** How much a panel has for the day; silent without any. */
export function PanelCount({ kind, count }: { kind: PanelKind; count: number }) {
  if (count === 0) return null;
  const tone = PRESSING.has(kind) ? 'warn' : 'brand';
  return (
    <chakra.span
      minWidth="5"
      px="1.5"
      borderRadius="full"
      bg={`${tone}.subtle`}
      color={`${tone}.fg`}
      fontSize="0.8125rem"
      fontWeight="650"
      lineHeight="1.5"
      textAlign="center"
    >
      {count}
      <ScreenReaderOnly> on this day</ScreenReaderOnly>
    </chakra.span>
  );
}
