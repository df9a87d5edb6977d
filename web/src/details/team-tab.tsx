import { chakra, Flex, Stack } from '@chakra-ui/react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ContactRound, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { may } from '../api/access';
import { businessQuery, employeesQuery, formerEmployeesQuery } from '../business/queries';
import { CatalogueAccess, EmployeeAccess, MemberAccess, ScheduleAccess } from '../gen/access';
import type { Invitation } from '../gen/frontdesk/auth/v1/member_pb';
import type { Employee } from '../gen/frontdesk/tenancy/v1/employee_pb';
import { ButtonLink, TextLink } from '../layout/links';
import { OnceRead } from '../layout/once-read';
import { Reading } from '../layout/reading';
import { InviteDialog } from '../members/invite-dialog';
import { invitationPages } from '../members/queries';
import { paths } from '../paths';
import { shortDateText } from '../time/day-text';
import { dayKey, moment } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { AddEmployeeDialog } from './add-employee-dialog';
import { EditEmployeeDialog } from './edit-employee-dialog';
import { LinkMemberDialog, useFreeMembers } from './link-member-dialog';
import { NamesakesNote } from './namesakes-note';
import type { TabProps } from './tab-props';
import { UnlinkAccountDialog } from './unlink-account-dialog';
import { type Missing, useMissing } from './use-missing';

const MINUTE_MS = 60_000;

const ROW_HEIGHT = 70;

/** Who serves customers, and who of them signs in. */
export function TeamTab({ businessId, role, zone }: TabProps) {
  const query = useQuery(employeesQuery(businessId));
  const business = useQuery(businessQuery(businessId)).data?.business?.name || 'this business';
  const invites = may(MemberAccess.invite, role);
  const invitationsRead = useInfiniteQuery({ ...invitationPages(businessId), enabled: invites });
  const { data: invitations, isLoading: isLooking } = invitationsRead;
  const invited = new Map(
    invitations?.pages.flatMap((page) => page.invitations.map((one) => [one.employeeId, one] as const)),
  );
  const missing = useMissing(businessId, dayKey(useNow(MINUTE_MS), zone));
  const [adding, setAdding] = useState(false);
  const [inviting, setInviting] = useState<Employee>();
  const [linking, setLinking] = useState<Employee>();
  const [editing, setEditing] = useState<Employee>();
  const [unlinking, setUnlinking] = useState<Employee>();
  const edit = may(EmployeeAccess.updateEmployee, role) ? setEditing : undefined;
  const formerRead = useQuery(formerEmployeesQuery(businessId));
  const former = formerRead.data?.employees ?? [];
  const links = edit !== undefined && may(MemberAccess.listMembers, role);
  const free = useFreeMembers(businessId, links) ?? [];
  const everyone = [...(query.data?.employees ?? []), ...former];
  const add = may(EmployeeAccess.createEmployee, role) && (
    <Button onClick={() => setAdding(true)}>
      <UserPlus size={18} aria-hidden />
      Add employee
    </Button>
  );
  return (
    <Stack gap="5">
      {edit && <NamesakesNote employees={query.data?.employees ?? []} onEdit={edit} />}
      <Card
        title="Employees"
        flush
        action={(query.data ? query.data.employees.length > 0 : query.isLoading) && add}
      >
        <Reading query={query} what="The team" skeleton={<RowsSkeleton rows={4} label="Loading the team" />}>
          {({ employees }) =>
            employees.length === 0 ? (
              <Empty icon={ContactRound} title="No employees yet" action={add}>
                Visits are booked with the people who are listed here.
              </Empty>
            ) : (
              <LongList
                items={employees}
                keyOf={({ id }) => id}
                rowHeight={ROW_HEIGHT}
                label="Employees"
                lined
              >
                {(employee) => (
                  <Row
                    businessId={businessId}
                    employee={employee}
                    role={role}
                    missing={missing(employee.id)}
                    invitation={invited.get(employee.id)}
                    isLooking={isLooking}
                    onInvite={invites ? () => setInviting(employee) : undefined}
                    onEdit={edit && (() => edit(employee))}
                  />
                )}
              </LongList>
            )
          }
        </Reading>
      </Card>
      <OnceRead queries={[query, formerRead, invitationsRead]} skeleton={null}>
        {former.length > 0 && (
          <Card title="No longer here" flush>
            <LongList
              items={former}
              keyOf={({ id }) => id}
              rowHeight={ROW_HEIGHT}
              label="No longer here"
              lined
            >
              {(employee) => <FormerRow employee={employee} onEdit={edit && (() => edit(employee))} />}
            </LongList>
          </Card>
        )}
        <Flex gap="3" wrap="wrap">
          <ButtonLink to={paths.team(businessId)}>Working hours and time off</ButtonLink>
          {may(MemberAccess.listMembers, role) && (
            <ButtonLink to={paths.members(businessId)}>Members and their roles</ButtonLink>
          )}
        </Flex>
      </OnceRead>
      {adding && (
        <AddEmployeeDialog
          businessId={businessId}
          first={query.data?.employees.length === 0}
          onClose={() => setAdding(false)}
        />
      )}
      {editing && (
        <EditEmployeeDialog
          businessId={businessId}
          zone={zone}
          employee={everyone.find(({ id }) => id === editing.id) ?? editing}
          onUnlink={
            may(EmployeeAccess.unlinkEmployeeAccount, role)
              ? () => {
                  setUnlinking(editing);
                  setEditing(undefined);
                }
              : undefined
          }
          onClose={() => setEditing(undefined)}
        />
      )}
      {unlinking && (
        <UnlinkAccountDialog
          businessId={businessId}
          employee={everyone.find(({ id }) => id === unlinking.id) ?? unlinking}
          isFormer={former.some(({ id }) => id === unlinking.id)}
          onClose={() => setUnlinking(undefined)}
        />
      )}
      {inviting && (
        <InviteDialog
          businessId={businessId}
          business={business}
          employee={inviting}
          onMember={
            free.length > 0
              ? () => {
                  setLinking(inviting);
                  setInviting(undefined);
                }
              : undefined
          }
          onClose={() => setInviting(undefined)}
        />
      )}
      {linking && (
        <LinkMemberDialog
          businessId={businessId}
          employee={everyone.find(({ id }) => id === linking.id) ?? linking}
          onClose={() => setLinking(undefined)}
        />
      )}
    </Stack>
  );
}

type RowProps = {
  businessId: string;
  employee: Employee;
  role: string;
  missing: Missing;
  /** Open, or expired and not withdrawn yet. */
  invitation: Invitation | undefined;
  /** Whether it is not known yet who is invited. */
  isLooking: boolean;
  onInvite: (() => void) | undefined;
  onEdit: (() => void) | undefined;
};

const PersonRow = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: '3',
    rowGap: '2',
    px: { base: '4', sm: '6' },
    py: '3',
  },
});

function Row(props: RowProps) {
  const { businessId, employee, role, missing, invitation, isLooking, onInvite, onEdit } = props;
  const now = useNow(MINUTE_MS);
  const signsIn = employee.userId !== '';
  return (
    <PersonRow>
      <Avatar name={employee.name} />
      <Stack gap="0" flex="1 1 10rem" minWidth="0">
        <TextLink to={paths.teamMember(businessId, employee.id)} fontWeight="600" alignSelf="flex-start">
          {employee.name}
        </TextLink>
        <Muted fontSize="0.875rem">
          {signsIn
            ? 'Signs in and sees their own day'
            : invitation
              ? invitedText(invitation, now)
              : !isLooking && 'Does not sign in'}
        </Muted>
        {missing.hours && (
          <Lack
            what="Can’t be booked: no weekly hours yet."
            todo={
              may(ScheduleAccess.setWeeklySchedule, role) && {
                text: 'Set hours',
                label: `Set hours of ${employee.name}`,
                to: paths.teamMember(businessId, employee.id),
              }
            }
          />
        )}
        {missing.services && (
          <Lack
            what="Can’t be booked: does no service yet."
            todo={
              may(CatalogueAccess.updateService, role) && {
                text: 'Choose services',
                label: `Choose services of ${employee.name}`,
                to: paths.services(businessId),
              }
            }
          />
        )}
      </Stack>
      {employee.lastDay && <Badge tone="warn">Leaves after {shortDateText(employee.lastDay)}</Badge>}
      <Flex gap="3" marginStart="auto">
        {!signsIn && invitation && (
          <ButtonLink to={paths.members(businessId)} aria-label={`Invitation of ${employee.name}`}>
            Invitation
          </ButtonLink>
        )}
        {!signsIn && !invitation && !isLooking && onInvite && (
          <Button onClick={onInvite} aria-label={`Invite ${employee.name}`}>
            Invite
          </Button>
        )}
        <EditButton employee={employee} onEdit={onEdit} />
      </Flex>
    </PersonRow>
  );
}

/** Whom the mail went to, and whether its link still works. */
function invitedText({ email, expiresAt }: Invitation, now: Date): string {
  const until = moment(expiresAt);
  return until !== null && until <= now
    ? `The invitation to ${email} has expired`
    : `Invited at ${email}, not accepted yet`;
}

type LackProps = { what: string; todo: { text: string; label: string; to: string } | false };

/** Why an employee can't be booked yet, and where that is cured. */
function Lack({ what, todo }: LackProps) {
  return (
    <Muted fontSize="0.875rem">
      {what}{' '}
      {todo && (
        <TextLink to={todo.to} aria-label={todo.label}>
          {todo.text}
        </TextLink>
      )}
    </Muted>
  );
}

type FormerRowProps = { employee: Employee; onEdit: (() => void) | undefined };

/** An employee whose last day is over. */
function FormerRow({ employee, onEdit }: FormerRowProps) {
  const { name, lastDay } = employee;
  return (
    <PersonRow>
      <Avatar name={name} />
      <Stack gap="0" flex="1 1 10rem" minWidth="0">
        <Text fontWeight="600">{name}</Text>
        <Muted fontSize="0.875rem">Left after {shortDateText(lastDay)}</Muted>
      </Stack>
      <EditButton employee={employee} onEdit={onEdit} />
    </PersonRow>
  );
}

function EditButton({ employee, onEdit }: FormerRowProps) {
  return (
    onEdit && (
      <Button onClick={onEdit} aria-label={`Edit ${employee.name}`}>
        Edit
      </Button>
    )
  );
}
