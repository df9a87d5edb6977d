import { Box, Flex, Stack } from '@chakra-ui/react';
import { Users } from 'lucide-react';
import type { Column } from '../day/columns';
import { RowLink } from '../layout/links';
import { paths } from '../paths';
import { Avatar } from '../ui/avatar';
import { Empty } from '../ui/states';
import { Figures, Muted } from '../ui/text';
import { byPresence, NO_HOURS, type Presence, presenceOf } from './presence';
import { doingText, presenceText } from './presence-text';

type AtWorkProps = { businessId: string; columns: readonly Column[]; minute: number };

/** Today's employees: who is at work and with which customer, who comes later, who is off. */
export function AtWork({ businessId, columns, minute }: AtWorkProps) {
  const people = columns
    .map((column) => ({ column, presence: presenceOf(column, minute) }))
    .sort((one, other) => byPresence(one.presence, other.presence));
  if (people.length === 0) {
    return (
      <Empty icon={Users} title="No employees yet">
        Employees show up here with their hours.
      </Empty>
    );
  }
  const off = people.filter(({ presence }) => presence.kind === 'off');
  const reasons = new Set(off.map(({ presence }) => presenceText(presence)));
  // On a closed day the reason is the same for all.
  if (off.length === people.length && reasons.size === 1) {
    return (
      <Empty icon={Users} title="No one works today">
        {reasons.has(NO_HOURS) ? 'No employee has working hours today.' : [...reasons]}
      </Empty>
    );
  }
  return (
    <>
      <Box as="ul" listStyleType="none">
        {people
          .filter(({ presence }) => presence.kind !== 'off')
          .map(({ column, presence }) => (
            <Person key={column.key} businessId={businessId} column={column} presence={presence} />
          ))}
      </Box>
      {off.length > 0 && (
        <Muted px={{ base: '4', sm: '6' }} py="3" borderTop="1px solid" borderColor="line">
          Off today:{' '}
          {off
            .map(({ column, presence }) => `${column.employeeName} (${presenceText(presence).toLowerCase()})`)
            .join(', ')}
        </Muted>
      )}
    </>
  );
}

type PersonProps = { businessId: string; column: Column; presence: Presence };

function Person({ businessId, column, presence }: PersonProps) {
  const here = presence.kind === 'here';
  const week = new URLSearchParams({ employee: column.employeeId });
  return (
    <Flex
      as="li"
      position="relative"
      align="center"
      gap="3.5"
      px={{ base: '4', sm: '6' }}
      py="2.5"
      minHeight="11"
      transition="colors"
      _hover={{ bg: 'bg.hover' }}
    >
      <Box opacity={here ? undefined : '0.55'} lineHeight="0">
        <Avatar name={column.employeeName} size="36px" />
      </Box>
      <Stack gap="0" flex="1" minWidth="0">
        <RowLink to={`${paths.schedule(businessId)}?${week}`}>{column.employeeName}</RowLink>
        {here && (
          <Muted fontSize="0.875rem" color={presence.doing.kind === 'free' ? 'good.fg' : undefined}>
            {doingText(presence.doing)}
          </Muted>
        )}
      </Stack>
      <Figures color="fg.muted" fontSize="0.875rem" textAlign="end" flexShrink="0" maxWidth="45%">
        {presenceText(presence)}
      </Figures>
    </Flex>
  );
}
