import { chakra, Flex } from '@chakra-ui/react';
import { ZoomIn, ZoomOut } from 'lucide-react';
import { Button } from '../ui/button';
import type { Person } from './columns';
import { DENSITIES, type Density } from './density';
import { isDay } from './local-day';
import { Stepper } from './stepper';

export const control = {
  minHeight: '11',
  px: '3',
  fontSize: '0.9375rem',
  fontWeight: '550',
  color: 'fg',
  bg: 'bg.card',
  border: '1px solid',
  borderColor: 'line.strong',
  borderRadius: 'button',
  minWidth: '0',
} as const;

const DateInput = chakra('input', { base: { ...control, fontVariantNumeric: 'tabular-nums' } });
const Choice = chakra('select', { base: { ...control, maxWidth: '15rem', cursor: 'pointer' } });

type ToolbarProps = {
  day: string;
  /** Undefined while it is not known who works here. */
  employees: readonly Person[] | undefined;
  employeeId: string;
  density: Density | undefined;
  onDay: (day: string) => void;
  onStep: (direction: 1 | -1) => void;
  onToday: () => void;
  onEmployee: (employeeId: string) => void;
  onDensity: (density: Density) => void;
};

/** Which day, whose, and how close up. */
export function Toolbar(props: ToolbarProps) {
  const { day, employees, employeeId, density, onDay, onStep, onToday, onEmployee, onDensity } = props;
  const what = employeeId ? 'week' : 'day';
  return (
    <Flex gap="2" wrap="wrap" align="center">
      <Button minHeight="11" onClick={onToday} aria-keyshortcuts="t">
        Today
      </Button>
      <Stepper what={what} onStep={onStep} />
      <DateInput
        aria-label="Date"
        type="date"
        value={day}
        required
        onChange={({ currentTarget: { value } }) => isDay(value) && onDay(value)}
      />
      <Choice
        aria-label="Show"
        value={employeeId}
        onChange={(event) => onEmployee(event.currentTarget.value)}
      >
        <option value="">Everybody, one day</option>
        {employees?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}, the week
          </option>
        ))}
      </Choice>
      {density && <Zoom density={density} onDensity={onDensity} />}
    </Flex>
  );
}

function Zoom({ density, onDensity }: { density: Density; onDensity: (density: Density) => void }) {
  const at = DENSITIES.indexOf(density);
  const [out, closer] = [DENSITIES[at - 1], DENSITIES[at + 1]];
  return (
    <Flex role="group" aria-label="Zoom">
      <Button
        variant="quiet"
        minHeight="11"
        minWidth="11"
        px="2"
        aria-label="Zoom out"
        disabled={!out}
        onClick={() => out && onDensity(out)}
      >
        <ZoomOut size={19} aria-hidden />
      </Button>
      <Button
        variant="quiet"
        minHeight="11"
        minWidth="11"
        px="2"
        aria-label="Zoom in"
        disabled={!closer}
        onClick={() => closer && onDensity(closer)}
      >
        <ZoomIn size={19} aria-hidden />
      </Button>
    </Flex>
  );
}
