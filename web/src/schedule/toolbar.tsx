import { Flex } from '@chakra-ui/react';
import { CalendarRange, ZoomIn, ZoomOut } from 'lucide-react';
import type { Person } from '../day/columns';
import { DayNavigation } from '../layout/day-navigation';
import { ButtonLink } from '../layout/links';
import { SquareButton } from '../ui/square-button';
import { DENSITIES, type Density } from './grid/density';
import { WhoseDay } from './whose-day';

type ToolbarProps = {
  day: string;
  /** Undefined while it is not known who works here. */
  employees: readonly Person[] | undefined;
  employeeId: string;
  density: Density;
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
  onEmployee: (employeeId: string) => void;
  onDensity: (density: Density) => void;
  /** Where the month is shown; undefined for those who may not see it. */
  toMonth: string | undefined;
};

/** Which day, whose, and how close up. */
export function Toolbar(props: ToolbarProps) {
  const { day, employees, employeeId, density, toMonth } = props;
  const { onDay, onStep, onToday, onEmployee, onDensity } = props;
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <DayNavigation
        day={day}
        what={employeeId ? 'week' : 'day'}
        onDay={onDay}
        onStep={onStep}
        onToday={onToday}
      />
      <WhoseDay employees={employees} employeeId={employeeId} onEmployee={onEmployee} />
      {toMonth && (
        <ButtonLink variant="quiet" to={toMonth} aria-keyshortcuts="v" title="Month view (v)">
          <CalendarRange size={18} aria-hidden />
          Month
        </ButtonLink>
      )}
      <Zoom density={density} onDensity={onDensity} />
    </Flex>
  );
}

function Zoom({ density, onDensity }: { density: Density; onDensity: (density: Density) => void }) {
  const at = DENSITIES.indexOf(density);
  const [out, closer] = [DENSITIES[at - 1], DENSITIES[at + 1]];
  return (
    <Flex role="group" aria-label="Zoom">
      <SquareButton label="Zoom out" disabled={!out} onClick={() => out && onDensity(out)}>
        <ZoomOut size={19} aria-hidden />
      </SquareButton>
      <SquareButton label="Zoom in" disabled={!closer} onClick={() => closer && onDensity(closer)}>
        <ZoomIn size={19} aria-hidden />
      </SquareButton>
    </Flex>
  );
}
