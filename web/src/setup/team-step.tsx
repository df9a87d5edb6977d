import { Box, Flex, Stack } from '@chakra-ui/react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ContactRound } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSending } from '../api/action';
import { methodKey } from '../api/query';
import { giveOpeningHours, giveServices } from '../business/employ';
import { employeesQuery, openingHoursQuery } from '../business/queries';
import { readTeamAgain } from '../business/read-team-again';
import { CatalogueService } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { type Employee, EmployeeService } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { LeaveGuard } from '../layout/leave-guard';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { useServices } from '../services/use-services';
import { useKeptValues } from '../session/use-draft';
import { dayKey } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { CheckField } from '../ui/check-field';
import { TextField } from '../ui/field';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty, Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { useNow } from '../ui/use-now';
import type { StepProps } from './step-props';
import { staffQuery } from './use-setup';
import { WayOn } from './way-on';

/** Who works there. Each is added with the salon's hours and all its services, unless that is not wanted. */
export function TeamStep({ businessId, zone, onDone }: StepProps) {
  const query = useQuery(employeesQuery(businessId));
  return (
    <Stack gap="5">
      <Reading query={query} what="The team" skeleton={<RowsSkeleton rows={2} label="Loading the team" />}>
        {({ employees }) => (
          <>
            {employees.length === 0 ? (
              <Empty icon={ContactRound} title="No employees yet">
                Customers are booked with the people who are listed here.
              </Empty>
            ) : (
              <Stack gap="2">
                <Team businessId={businessId} zone={zone} employees={employees} />
                <Muted fontSize="0.875rem">
                  Rename, invite or let go of people under{' '}
                  <TextLink to={paths.details(businessId, 'team')}>Details, Team</TextLink>.
                </Muted>
              </Stack>
            )}
            <AddEmployee businessId={businessId} />
            <WayOn done={employees.length > 0} onDone={onDone} />
          </>
        )}
      </Reading>
    </Stack>
  );
}

type TeamProps = { businessId: string; zone: string; employees: Employee[] };

function Team({ businessId, zone, employees }: TeamProps) {
  const today = dayKey(useNow(60_000), zone);
  const staff = useQuery(staffQuery(businessId, today)).data?.staff;
  const opening = useQuery(openingHoursQuery(businessId)).data?.spans ?? [];
  const working = new Set(
    staff
      ?.filter(({ schedules }) => schedules.some(({ spans }) => spans.length > 0))
      .map((one) => one.employeeId),
  );
  const give = useMutation({
    mutationFn: (employee: Employee) => giveOpeningHours(businessId, employee.id, opening),
    onSuccess: readTeamAgain,
    onError: (error) => toasts.show('bad', messageOf(error, 'The hours could not be set.')),
  });
  return (
    <Box
      as="ul"
      aria-label="Employees"
      listStyleType="none"
      border="1px solid"
      borderColor="line"
      borderRadius="button"
    >
      {employees.map((employee) => (
        <Flex
          as="li"
          key={employee.id}
          align="center"
          gap="3"
          px="3.5"
          py="2.5"
          wrap="wrap"
          borderTop="1px solid"
          borderColor="line"
          _first={{ borderTop: 'none' }}
        >
          <Avatar name={employee.name} />
          <Stack gap="0" flex="1 1 8rem" minWidth="0">
            <Text fontWeight="600">{employee.name}</Text>
            {staff && (
              <Muted fontSize="0.875rem">
                {working.has(employee.id) ? 'Has working hours' : 'No working hours yet'}
              </Muted>
            )}
          </Stack>
          {staff && !working.has(employee.id) && opening.length > 0 && (
            <Button
              loading={give.isPending && give.variables.id === employee.id}
              onClick={() => give.mutate(employee)}
              aria-label={`Give ${employee.name} the opening hours`}
            >
              Give the opening hours
            </Button>
          )}
        </Flex>
      ))}
    </Box>
  );
}

function AddEmployee({ businessId }: { businessId: string }) {
  const queries = useQueryClient();
  const create = useSending(EmployeeService.method.createEmployee);
  const hours = useQuery(openingHoursQuery(businessId));
  const opening = hours.data?.spans ?? [];
  const catalogue = useServices(businessId);
  const services = catalogue.data?.pages.flatMap((page) => page.services) ?? [];
  // Someone who is added before these are known would be given neither.
  const reading = hours.isLoading || catalogue.isLoading || catalogue.isFetchingNextPage;
  const [{ name, withHours, withServices }, change] = useKeptValues(
    `employee of ${businessId}`,
    { name: '', withHours: true, withServices: true },
    { overReload: true },
  );
  const [wrong, setWrong] = useState<string>();
  // The second click of a double click comes before the button shows that it runs.
  const adding = useRef(false);
  const add = useMutation({
    mutationFn: async (wanted: string) => {
      const { employee } = await create({ businessId, name: wanted });
      // From here on they are in the list, which says what they lack.
      void queries.invalidateQueries({ queryKey: employeesQuery(businessId).queryKey });
      change((before) => ({ ...before, name: '' }));
      if (!employee) return;
      if (withHours && opening.length > 0) await giveOpeningHours(businessId, employee.id, opening);
      if (withServices) await giveServices(businessId, employee, services);
      toasts.show('good', `${employee.name} is part of the team.`);
    },
    onSettled: () => {
      adding.current = false;
      readTeamAgain();
      void queries.invalidateQueries({ queryKey: [methodKey(CatalogueService.method.listServices)] });
    },
  });
  const said = fieldErrorsOf(add.error);
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const problem = name.trim() === '' ? 'Enter a name.' : undefined;
          setWrong(problem);
          if (problem || reading || adding.current) return;
          adding.current = true;
          add.mutate(name.trim());
        }}
      >
        <Stack gap="2">
          <Flex gap="3" align="flex-start" direction={{ base: 'column', sm: 'row' }}>
            <Box flex="1" width="100%">
              <TextField
                label="Name of an employee"
                autoComplete="off"
                value={name}
                onChange={({ target }) => change((before) => ({ ...before, name: target.value }))}
                error={wrong ?? said.name}
              />
            </Box>
            <Button type="submit" loading={add.isPending || reading} minHeight="12" mt={{ sm: '7' }}>
              Add
            </Button>
          </Flex>
          {opening.length > 0 && (
            <CheckField
              label="Works whenever the salon is open"
              checked={withHours}
              onChange={({ target }) => change((before) => ({ ...before, withHours: target.checked }))}
            />
          )}
          {services.length > 0 && (
            <CheckField
              label="Does every service"
              checked={withServices}
              onChange={({ target }) => change((before) => ({ ...before, withServices: target.checked }))}
            />
          )}
          <Refusal>
            {add.error && !said.name ? messageOf(add.error, 'Not everything could be saved.') : null}
          </Refusal>
        </Stack>
      </form>
      {/* A name that was refused is nothing to lose. */}
      {name.trim() !== '' && !add.isPending && !said.name && <LeaveGuard />}
    </>
  );
}
