import { chakra, Flex } from '@chakra-ui/react';
import { Check, CircleHelp, Lock, MoreHorizontal, Search } from 'lucide-react';
import type { Person } from '../day/columns';
import { DayNavigation } from '../layout/day-navigation';
import { Menu, MenuChoice, MenuChoices, MenuLine } from '../ui/menu';
import { DayMenuItem } from './day-menu-item';
import { PanelCount } from './panels/panel-count';
import { PANEL_ICONS, PANEL_KEYS, PANEL_NAMES, type PanelCounts, type PanelKind } from './panels/panels';

type PhoneToolbarProps = {
  day: string;
  /** Undefined while it is not known who works here. */
  employees: readonly Person[] | undefined;
  employeeId: string;
  panels: readonly PanelKind[];
  counts: PanelCounts;
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
  onEmployee: (employeeId: string) => void;
  onPanel: (panel: PanelKind) => void;
  /** Undefined until the day is read, or without the permission. */
  onFind: (() => void) | undefined;
  onWhyNot: (() => void) | undefined;
  onBlock: (() => void) | undefined;
};

const EVERYONE = 'everyone';

/** One row: which day. Everything else of a day is one press further. */
export function PhoneToolbar(props: PhoneToolbarProps) {
  const { day, employees, employeeId, panels, counts, onDay, onStep, onToday } = props;
  const { onEmployee, onPanel, onFind, onWhyNot, onBlock } = props;
  const total = panels.reduce((sum, kind) => sum + (counts[kind] ?? 0), 0);
  const people = [
    { id: '', text: 'Everyone, one day' },
    ...(employees ?? []).map(({ id, name }) => ({ id, text: `${name}, the week` })),
  ];
  return (
    <Flex width="100%" align="center" gap="1">
      <DayNavigation
        day={day}
        what={employeeId ? 'week' : 'day'}
        onDay={onDay}
        onStep={onStep}
        onToday={onToday}
      />
      <Menu
        label={total > 0 ? `More for this day, ${total} to look at` : 'More for this day'}
        align="end"
        triggerProps={{ position: 'relative', justifyContent: 'center' }}
        trigger={
          <>
            <MoreHorizontal size={22} aria-hidden />
            {total > 0 && <Count total={total} />}
          </>
        }
      >
        {onFind && <DayMenuItem icon={Search} letter="/" text="Find a visit…" onPick={onFind} />}
        {onWhyNot && <DayMenuItem icon={CircleHelp} letter="?" text="Why not?…" onPick={onWhyNot} />}
        {onBlock && <DayMenuItem icon={Lock} letter="b" text="Block time…" onPick={onBlock} />}
        {onFind && panels.length > 0 && <MenuLine />}
        {panels.map((kind) => (
          <DayMenuItem
            key={kind}
            icon={PANEL_ICONS[kind]}
            letter={PANEL_KEYS[kind]}
            text={PANEL_NAMES[kind]}
            aside={<PanelCount kind={kind} count={counts[kind] ?? 0} />}
            onPick={() => onPanel(kind)}
          />
        ))}
        {(onFind || panels.length > 0) && <MenuLine />}
        <MenuChoices
          label="Show"
          value={employeeId || EVERYONE}
          onPick={(id) => onEmployee(id === EVERYONE ? '' : id)}
        >
          {people.map(({ id, text }) => (
            <MenuChoice key={id} value={id || EVERYONE}>
              <chakra.span width="18px" flexShrink="0" aria-hidden>
                {id === employeeId && <Check size={18} />}
              </chakra.span>
              <chakra.span minWidth="0" overflowWrap="anywhere">
                {text}
              </chakra.span>
            </MenuChoice>
          ))}
        </MenuChoices>
      </Menu>
    </Flex>
  );
}

/** How much in the menu is worth a look; its button says so as well. */
function Count({ total }: { total: number }) {
  return (
    <chakra.span
      position="absolute"
      top="0"
      insetInlineEnd="0"
      minWidth="20px"
      px="1"
      borderRadius="full"
      bg="warn.subtle"
      color="warn.fg"
      fontSize="0.75rem"
      fontWeight="650"
      lineHeight="20px"
      textAlign="center"
      aria-hidden
    >
      {total}
    </chakra.span>
  );
}
