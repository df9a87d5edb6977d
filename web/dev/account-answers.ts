import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { InvitationSchema, MemberSchema } from '../src/gen/frontdesk/auth/v1/member_pb';
import {
  SecurityEventKind as Kind,
  type SecurityEventSchema,
  type SignedInSessionSchema,
  type TrustedDeviceSchema,
} from '../src/gen/frontdesk/auth/v1/security_pb';
import type { Answer } from './answer';
import { ACCOUNTS, id, NOW, WILLOW } from './fixtures';

const minutes = (offset: number) => timestampFromDate(new Date(NOW.getTime() + offset * 60_000));
const days = (offset: number) => minutes(offset * 1440);

const sessions: MessageInitShape<typeof SignedInSessionSchema>[] = [
  {
    id: id(20, 1),
    current: true,
    browser: 'Chrome on Windows',
    address: '203.0.113.7',
    signedInAt: minutes(-95),
    lastUsedAt: minutes(0),
    expiresAt: days(7),
    trusted: true,
  },
  {
    id: id(20, 2),
    browser: 'Safari on iPhone',
    address: '198.51.100.24',
    signedInAt: days(-3),
    lastUsedAt: minutes(-47),
    expiresAt: days(4),
  },
  {
    id: id(20, 3),
    browser: '',
    address: '2001:db8:85a3:1234:5678:8a2e:370:7334',
    signedInAt: days(-6),
    lastUsedAt: days(-2),
    expiresAt: days(1),
  },
];

const devices: MessageInitShape<typeof TrustedDeviceSchema>[] = [
  {
    id: id(21, 1),
    current: true,
    browser: 'Chrome on Windows',
    trustedAt: days(-12),
    expiresAt: days(78),
  },
  { id: id(21, 2), browser: 'Firefox on Mac', trustedAt: days(-70), expiresAt: days(20) },
];

type Happening = [number, Kind, Partial<MessageInitShape<typeof SecurityEventSchema>>?];
/** Minutes ago, kind, other fields. */
const HAPPENINGS: Happening[] = [
  [0, Kind.SIGNED_IN],
  [1, Kind.SIGN_IN_FAILED],
  [2, Kind.SIGN_IN_FAILED],
  [
    1440,
    Kind.ROLE_CHANGED,
    { actorName: 'Ines Admin', businessId: WILLOW, detail: 'OWNER', address: '', browser: '' },
  ],
  [3000, Kind.DEVICE_TRUSTED],
  [3002, Kind.DEVICE_CODE_FAILED],
  [4000, Kind.EMAIL_CHANGE_REQUESTED, { detail: 'olivia@willow.test' }],
  [9000, Kind.PASSWORD_CHANGED, { browser: 'Safari on iPhone', address: '198.51.100.24' }],
  [10_000, Kind.TOKEN_REUSED],
  [20_000, Kind.BLOCK_LIFTED, { actorName: 'Ines Admin', address: '', browser: '' }],
  [20_010, Kind.SIGN_IN_BLOCKED],
  [30_000, Kind.UNSPECIFIED],
  [39_999, Kind.JOINED, { actorName: 'Ines Admin', businessId: WILLOW, detail: 'MANAGER' }],
  [40_000, Kind.REGISTERED],
];

const events = HAPPENINGS.map(([ago, kind, more], index) => ({
  id: id(22, index + 1),
  kind,
  at: minutes(-ago),
  browser: 'Chrome on Windows',
  address: '203.0.113.7',
  ...more,
}));

const members: MessageInitShape<typeof MemberSchema>[] = [
  ...ACCOUNTS.filter(({ businessIds }) => businessIds.includes(WILLOW)).map(
    ({ name, email, role }, index) => ({
      userId: id(23, index + 1),
      name,
      email,
      role,
    }),
  ),
  {
    userId: id(23, 8),
    name: 'Sofia Marchetti',
    email: 'sofia.marchetti@willow.test',
    role: 'EMPLOYEE',
    blockedUntil: minutes(38),
  },
  { userId: id(23, 9), name: 'Tom Reed', email: 'tom@willow.test', role: 'EMPLOYEE', disabled: true },
];

const invitations: MessageInitShape<typeof InvitationSchema>[] = [
  { id: id(24, 1), email: 'nadia@demo.test', role: 'EMPLOYEE', invitedAt: days(-2), expiresAt: days(5) },
  {
    id: id(24, 2),
    email: 'wilhelmina.konstantinopoulou-featherstonehaugh@a-rather-long-domain.test',
    role: 'MANAGER',
    invitedAt: days(-9),
    expiresAt: days(-2),
  },
];

/** Accounts, sessions and members. Changes are answered, but not stored. */
export const ACCOUNT_ANSWERS: Record<string, Answer> = {
  GetMe: (_, { name, email, role }) => ({
    id: email,
    name,
    email,
    role,
    emailVerified: role !== 'GUEST',
    hasPassword: role !== 'GUEST',
    newEmail: role === 'MANAGER' ? 'marcus@willow.test' : '',
  }),
  GetFrontendConfiguration: () => ({
    oauth: {
      googleClientId: 'fixture',
      googleAuthUrl: 'https://accounts.google.test/o/oauth2/auth',
      scopes: 'openid email profile',
    },
    app: { environment: 'development' },
  }),
  RenameMe: () => ({}),
  ChangePassword: () => ({}),
  ChangeEmail: () => ({}),
  CancelEmailChange: () => ({}),
  ResendVerification: () => ({}),
  AcceptInvitation: () => ({ businessId: WILLOW }),
  ListIdentities: (_, { role }) => ({
    identities:
      role === 'MANAGER' || role === 'GUEST'
        ? [{ id: id(25, 1), provider: 'google', email: 'someone@gmail.test', connectedAt: days(-30) }]
        : [],
  }),
  DisconnectIdentity: () => ({}),
  ListSessions: () => ({ sessions }),
  EndSession: () => ({}),
  SignOutEverywhere: () => ({}),
  ListTrustedDevices: () => ({ devices }),
  RevokeTrustedDevice: () => ({}),
  RequestDeviceCode: () => ({ expiresAt: minutes(10) }),
  ListSecurityEvents: ({ pageToken }) => ({ events, nextPageToken: pageToken ? '' : 'older' }),
  ListMembers: () => ({ members }),
  SetMemberRole: () => ({}),
  RemoveMember: () => ({}),
  LiftBlock: () => ({}),
  ListInvitations: () => ({ invitations }),
  Invite: ({ email, role }) => ({
    invitation: { id: id(24, 9), email, role, invitedAt: minutes(0), expiresAt: days(7) } as object,
  }),
  WithdrawInvitation: () => ({}),
  DisableAccount: () => ({}),
  EnableAccount: () => ({}),
};
