import { Flex } from '@chakra-ui/react';
import { ZoomIn, ZoomOut } from 'lucide-react';
import type { Person } from '../day/columns';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { DayNavigation } from '../layout/day-navigation';
import { MenuItem } from '../ui/menu';
import { AbsentItem, type AbsentItemProps } from './absent-item';
import { DayMenu, type DayMenuProps } from './day-menu';
import { FreeTimesFor } from './free-times-for';
import { DENSITIES, type Density } from './grid/density';
import { WhoseDay } from './whose-day';

type CompactToolbarProps = DayMenuProps &
  AbsentItemProps & {
    day: string;
    /** Undefined while it is not known who works here. */
    employees: readonly Person[] | undefined;
    employeeId: string;
    services: Service[];
    serviceId: string;
    density: Density;
    onDay: (day: string) => void;
    onStep: (direction: 1 | -1) => void;
    onToday: () => void;
    onEmployee: (employeeId: string) => void;
    onService: (serviceId: string) => void;
    onDensity: (density: Density) => void;
  };

/** One row on a tablet or an enlarged screen, so that the day has the rest. */
export function CompactToolbar(props: CompactToolbarProps) {
  const { day, employees, employeeId, services, serviceId, density, absent, absentShown } = props;
  const { onDay, onStep, onToday, onEmployee, onService, onDensity, onAbsent } = props;
  const { panels, counts, onPanel, onFind, onWhyNot, onBlock, onPrint, onMonth } = props;
  const at = DENSITIES.indexOf(density);
  const [out, closer] = [DENSITIES[at - 1], DENSITIES[at + 1]];
  return (
    <Flex width="100%" gap="2" align="center">
      <DayNavigation
        day={day}
        what={employeeId ? 'week' : 'day'}
        onDay={onDay}
        onStep={onStep}
        onToday={onToday}
      />
      <Flex
        flex="1"
        minWidth="0"
        gap="2"
        css={{ '& > *': { flex: '1 1 0', minWidth: '0', maxWidth: '15rem' } }}
      >
        <WhoseDay short employees={employees} employeeId={employeeId} onEmployee={onEmployee} />
        {services.length > 0 && (
          <FreeTimesFor short services={services} serviceId={serviceId} onService={onService} />
        )}
      </Flex>
      <DayMenu {...{ panels, counts, onPanel, onFind, onWhyNot, onBlock, onPrint, onMonth }}>
        {closer && (
          <MenuItem value="zoom-in" onPick={() => onDensity(closer)}>
            <ZoomIn size={18} aria-hidden />
            Zoom in
          </MenuItem>
        )}
        {out && (
          <MenuItem value="zoom-out" onPick={() => onDensity(out)}>
            <ZoomOut size={18} aria-hidden />
            Zoom out
          </MenuItem>
        )}
        <AbsentItem {...{ absent, absentShown, onAbsent }} />
      </DayMenu>
    </Flex>
  );
}
