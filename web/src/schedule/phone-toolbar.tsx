import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import type { Person } from '../day/columns';
import { DayNavigation } from '../layout/day-navigation';
import { MenuChoice, MenuChoices } from '../ui/menu';
import { DayMenu, type DayMenuProps } from './day-menu';
import type { Whose } from './use-day-address';

type PhoneToolbarProps = DayMenuProps & {
  day: string;
  /** Undefined while it is not known who works here. */
  employees: readonly Person[] | undefined;
  employeeId: string;
  /** Whether only the viewer's own visits are shown; undefined for a viewer who has none. */
  mine: boolean | undefined;
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
  onEmployee: (employeeId: string) => void;
  onWhose: (whose: Whose) => void;
};

const EVERYONE = 'everyone';
const MINE = 'mine';

/** One row: which day. Everything else of a day is one press further. */
export function PhoneToolbar(props: PhoneToolbarProps) {
  const { day, employees, employeeId, mine, onDay, onStep, onToday, onEmployee, onWhose, ...menu } = props;
  const shown = employeeId || (mine ? MINE : EVERYONE);
  const choices = [
    ...(mine === undefined ? [] : [{ id: MINE, text: 'My day' }]),
    { id: EVERYONE, text: 'Everyone, one day' },
    ...(employees ?? []).map(({ id, name }) => ({ id, text: `${name}, the week` })),
  ];
  const pick = (id: string) => (id === MINE || id === EVERYONE ? onWhose(id) : onEmployee(id));
  return (
    <Flex width="100%" align="center" gap="1">
      <DayNavigation
        day={day}
        what={employeeId ? 'week' : 'day'}
        onDay={onDay}
        onStep={onStep}
        onToday={onToday}
      />
      <DayMenu {...menu}>
        <MenuChoices label="Show" value={shown} onPick={pick}>
          {choices.map(({ id, text }) => (
            <MenuChoice key={id} value={id}>
              <chakra.span width="18px" flexShrink="0" aria-hidden>
                {id === shown && <Check size={18} />}
              </chakra.span>
              <chakra.span minWidth="0" overflowWrap="anywhere">
                {text}
              </chakra.span>
            </MenuChoice>
          ))}
        </MenuChoices>
      </DayMenu>
    </Flex>
  );
}
