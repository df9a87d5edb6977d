import { Box, Flex, Stack } from '@chakra-ui/react';
import { Coffee, X } from 'lucide-react';
import { useId, useRef } from 'react';
import type { Span } from '../day/spans';
import { clockOf, minuteOf } from '../time/local';
import { MINUTES_A_DAY } from '../time/local-day';
import { Button } from '../ui/button';
import { TextControl } from '../ui/field';
import { ScreenReaderOnly, Text } from '../ui/text';
import { withBreak, withoutBreak } from './hours';

type SpanFieldsProps = {
  /** Whose hours these are: "Monday". */
  name: string;
  spans: readonly Span[];
  error: string | undefined;
  onChange: (spans: Span[]) => void;
};

/** The hours of one day: from and until, and breaks between. */
export function SpanFields({ name, spans, error, onChange }: SpanFieldsProps) {
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const change = (index: number, changed: Partial<Span>) =>
    onChange(spans.map((span, at) => (at === index ? { ...span, ...changed } : span)));
  const removeBreak = (index: number) => {
    onChange(withoutBreak(spans, index));
    // The button that held the focus is gone.
    frame.current?.querySelector<HTMLButtonElement>('[data-break]')?.focus();
  };
  const described = error ? { 'aria-invalid': true, 'aria-describedby': id } : {};
  return (
    <Stack ref={frame} gap="2" minWidth="0">
      {spans.map((span, index) => {
        const nth = index === 0 ? '' : ` (${index + 1})`;
        return (
          // Stretches have no names of their own; they come and go at their places.
          <Flex key={index} gap={{ base: '1', sm: '2' }} align="center">
            <Box flex={{ base: '1 1 0', sm: '0 1 8.5rem' }} minWidth="0">
              <TextControl
                type="time"
                step={300}
                minHeight="11"
                px={{ base: '1.5', sm: '2.5' }}
                aria-label={`${name} from${nth}`}
                {...described}
                value={fieldOf(span.from)}
                onChange={({ currentTarget: { value } }) =>
                  change(index, { from: minuteOf(value) ?? Number.NaN })
                }
              />
            </Box>
            <span aria-hidden>–</span>
            <Box flex={{ base: '1 1 0', sm: '0 1 8.5rem' }} minWidth="0">
              <TextControl
                type="time"
                step={300}
                minHeight="11"
                px={{ base: '1.5', sm: '2.5' }}
                aria-label={`${name} until${nth}`}
                {...described}
                value={fieldOf(span.to)}
                onChange={({ currentTarget: { value } }) =>
                  // Midnight ends a day.
                  change(index, {
                    to: minuteOf(value) === 0 ? MINUTES_A_DAY : (minuteOf(value) ?? Number.NaN),
                  })
                }
              />
            </Box>
            {index === 0 ? (
              <Button
                data-break
                variant="quiet"
                px="2.5"
                color="fg.muted"
                title="Add a break"
                disabled={withBreak(spans).length === spans.length}
                onClick={() => onChange(withBreak(spans))}
              >
                <Coffee size={18} aria-hidden />
                <Text as="span" hideBelow="md" fontSize="0.875rem" aria-hidden>
                  Break
                </Text>
                <ScreenReaderOnly>Add a break, {name}</ScreenReaderOnly>
              </Button>
            ) : (
              <Button
                variant="quiet"
                px="2.5"
                color="fg.muted"
                title="Remove the break"
                onClick={() => removeBreak(index)}
              >
                <X size={18} aria-hidden />
                <ScreenReaderOnly>
                  Remove the break, {name}
                  {nth}
                </ScreenReaderOnly>
              </Button>
            )}
          </Flex>
        );
      })}
      {error && (
        <Box id={id} role="alert" color="bad.fg" fontSize="0.875rem" fontWeight="550">
          {error}
        </Box>
      )}
    </Stack>
  );
}

/** As a time field has it; the end of a day is its midnight. */
function fieldOf(minute: number): string {
  return Number.isNaN(minute) ? '' : clockOf(minute % MINUTES_A_DAY);
}
