import { Flex, Stack } from '@chakra-ui/react';
import { Users } from 'lucide-react';
import type { Member } from '../gen/frontdesk/auth/v1/member_pb';
import { sameAddress } from '../session/person';
import { isAdmin } from '../session/roles';
import { useSession } from '../session/use-session';
import { inSentence } from '../time/in-sentence';
import { dayName, moment, timeOfDay, viewerZone } from '../time/zoned';
import { Avatar } from '../ui/avatar';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { LongList } from '../ui/long-list';
import { Empty } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { useNow } from '../ui/use-now';
import { LiftBlock } from './lift-block';
import { MemberMenu } from './member-menu';
import type { MemberProps } from './member-props';
import { RoleMenu } from './role-menu';

const ROW_HEIGHT = 77;

type MemberListProps = { businessId: string; business: string; members: Member[]; onInvite: () => void };

export function MemberList({ businessId, business, members, onInvite }: MemberListProps) {
  const { user } = useSession();
  if (members.length === 0) {
    return (
      <Empty icon={Users} title="No members yet" action={<Button onClick={onInvite}>Invite member</Button>}>
        Invite the people of the salon with their e-mail addresses.
      </Empty>
    );
  }
  return (
    <LongList label="Members" items={members} keyOf={({ userId }) => userId} rowHeight={ROW_HEIGHT} lined>
      {(member) => (
        <MemberRow
          businessId={businessId}
          business={business}
          member={member}
          self={sameAddress(member.email, user?.email ?? '')}
          byAdmin={isAdmin(user?.role ?? '')}
        />
      )}
    </LongList>
  );
}

function MemberRow({ byAdmin, ...props }: MemberProps & { byAdmin: boolean }) {
  const { businessId, member, self } = props;
  const blocked = useBlocked(member);
  return (
    <Flex
      align="center"
      gap="4"
      rowGap="3"
      wrap={{ base: 'wrap', sm: 'nowrap' }}
      px={{ base: '4', sm: '6' }}
      py="3.5"
    >
      <Avatar name={member.name} size="44px" />
      <Stack gap="0.5" flex="1" minWidth="0">
        <Flex gap="2" align="center" wrap="wrap">
          <Text fontWeight="600">{member.name}</Text>
          {self && <Badge tone="brand">You</Badge>}
          {member.disabled && <Badge tone="bad">Disabled</Badge>}
          {blocked && <Badge tone="warn">Sign-in blocked until {blocked}</Badge>}
        </Flex>
        <Muted>{member.email}</Muted>
      </Stack>
      <Flex gap="2" align="center" justify="flex-end" width={{ base: '100%', sm: 'auto' }}>
        {blocked && <LiftBlock businessId={businessId} member={member} />}
        <RoleMenu {...props} />
        <MemberMenu {...props} byAdmin={byAdmin} />
      </Flex>
    </Flex>
  );
}

/** When the block ends, in words; empty once it has. */
function useBlocked({ blockedUntil }: Member): string {
  const now = useNow(15_000);
  const until = moment(blockedUntil);
  if (!until || until <= now) return '';
  const zone = viewerZone();
  const [day, today] = [dayName(until, zone, now), dayName(now, zone, now)];
  const time = timeOfDay(until, zone);
  return day === today ? time : `${inSentence(day)}, ${time}`;
}
