import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import type { Person } from '../day/columns';
import { DayNavigation } from '../layout/day-navigation';
import { MenuChoice, MenuChoices } from '../ui/menu';
import { DayMenu, type DayMenuProps } from './day-menu';

type PhoneToolbarProps = DayMenuProps & {
  day: string;
  /** Undefined while it is not known who works here. */
  employees: readonly Person[] | undefined;
  employeeId: string;
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
  onEmployee: (employeeId: string) => void;
};

const EVERYONE = 'everyone';

/** One row: which day. Everything else of a day is one press further. */
export function PhoneToolbar(props: PhoneToolbarProps) {
  const { day, employees, employeeId, onDay, onStep, onToday, onEmployee, ...menu } = props;
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
      <DayMenu {...menu}>
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
      </DayMenu>
    </Flex>
  );
}
