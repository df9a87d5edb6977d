import { Box, Grid, Stack } from '@chakra-ui/react';
import { Copy } from 'lucide-react';
import { weekdayName } from '../day/opening';
import { minutesOf, type Span } from '../day/spans';
import { CheckField } from '../ui/check-field';
import { Menu, MenuItem } from '../ui/menu';
import { Figures, Muted } from '../ui/text';
import { ORDINARY_DAY, problemOf, shownHours, totalText, WEEKDAYS, type Week } from './hours';
import { HoursAxis, NOTHING } from './hours-axis';
import { SpanFields } from './span-fields';
import { TEAM_STYLES } from './styles';

const [MONDAY, FRIDAY] = [0, 4];

/** Where a day fits on one line: the editor stands on pages and in dialogs of many widths. */
const WIDE = '@container (min-width: 39.5rem)';
const ON_ONE_LINE = {
  gridTemplateColumns: '7.5rem minmax(0, 25rem) minmax(0, 1fr) 3.25rem auto',
  columnGap: '2',
  gridTemplateAreas: '"day hours picture total copy"',
};

type WeekEditorProps = {
  week: Week;
  /** What a day without hours is: of a person, or of the salon. */
  off?: 'Not at work' | 'Closed';
  /** Whether what is wrong is told. */
  checked: boolean;
  onChange: (week: Span[][]) => void;
};

/** Seven days, each with its hours; a day's hours go to others with a press. */
export function WeekEditor({ week, off = 'Not at work', checked, onChange }: WeekEditorProps) {
  const all = WEEKDAYS.map((_, index) => [...(week[index] ?? [])]);
  const set = (days: readonly number[], spans: readonly Span[]) =>
    onChange(all.map((before, index) => (days.includes(index) ? [...spans] : before)));
  const shown = shownHours(all);
  const ordinary = all.find((spans) => spans.length > 0) ?? [ORDINARY_DAY];
  return (
    <Stack
      as="ul"
      aria-label="Days of the week"
      gap="0"
      listStyleType="none"
      containerType="inline-size"
      css={TEAM_STYLES}
    >
      {all.map((spans, index) => {
        const name = weekdayName(index + 1);
        return (
          <Grid
            as="li"
            key={name}
            alignItems="start"
            gap="3"
            rowGap="1"
            py="2.5"
            borderTop="1px solid"
            borderColor="line"
            gridTemplateColumns="minmax(0, 1fr) auto"
            gridTemplateAreas={'"day copy" "hours hours"'}
            css={{ [WIDE]: ON_ONE_LINE }}
          >
            <Box gridArea="day">
              <CheckField
                label={name}
                checked={spans.length > 0}
                onChange={({ currentTarget: { checked: works } }) => set([index], works ? ordinary : [])}
              />
            </Box>
            <Box gridArea="hours" minWidth="0">
              {spans.length > 0 ? (
                <SpanFields
                  name={name}
                  spans={spans}
                  error={checked ? problemOf(spans) : undefined}
                  onChange={(changed) => set([index], changed)}
                />
              ) : (
                <Muted css={{ [WIDE]: { lineHeight: '44px' } }}>{off}</Muted>
              )}
            </Box>
            <Box gridArea="picture" alignSelf="center" display="none" css={{ [WIDE]: { display: 'block' } }}>
              <HoursAxis cell={{ ...NOTHING, working: spans }} shown={shown} />
            </Box>
            <Figures
              gridArea="total"
              display="none"
              css={{ [WIDE]: { display: 'block' } }}
              textAlign="end"
              color="fg.muted"
              fontSize="0.875rem"
              lineHeight="44px"
            >
              {spans.length > 0 && !problemOf(spans) && totalText(minutesOf(spans))}
            </Figures>
            <Box gridArea="copy" minWidth="11">
              {spans.length > 0 && (
                <CopyMenu
                  name={name}
                  from={index}
                  off={off}
                  working={all.flatMap((hours, at) => (hours.length > 0 ? [at] : []))}
                  onCopy={(days) => set(days, spans)}
                />
              )}
            </Box>
          </Grid>
        );
      })}
    </Stack>
  );
}

type CopyMenuProps = {
  name: string;
  from: number;
  off: 'Not at work' | 'Closed';
  working: readonly number[];
  onCopy: (days: readonly number[]) => void;
};

function CopyMenu({ name, from, off, working, onCopy }: CopyMenuProps) {
  const others = WEEKDAYS.map((_, index) => index).filter((index) => index !== from);
  const choices: (readonly [text: string, days: readonly number[]])[] = [
    [off === 'Closed' ? 'To all open days' : 'To all days at work', working],
    ['To Monday to Friday', others.filter((index) => index >= MONDAY && index <= FRIDAY)],
    ...others.map((index) => [`To ${weekdayName(index + 1)}`, [index]] as const),
  ];
  return (
    <Menu
      label={`Copy ${name}`}
      align="end"
      trigger={<Copy size={18} aria-hidden />}
      triggerProps={{ justifyContent: 'center', color: 'fg.muted', title: `Copy ${name} to other days` }}
    >
      {choices.map(([text, days]) => (
        <MenuItem key={text} value={text} onPick={() => onCopy(days)}>
          {text}
        </MenuItem>
      ))}
    </Menu>
  );
}
