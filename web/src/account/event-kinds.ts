import {
  BadgeCheck,
  Ban,
  KeyRound,
  Link2,
  Link2Off,
  Lock,
  LockOpen,
  LogIn,
  LogOut,
  type LucideIcon,
  MailCheck,
  MailQuestion,
  MailX,
  ShieldAlert,
  ShieldCheck,
  ShieldOff,
  ShieldQuestion,
  TriangleAlert,
  UserCog,
  UserMinus,
  UserPlus,
  UserX,
} from 'lucide-react';
import { SecurityEventKind as Kind, type SecurityEvent } from '../gen/frontdesk/auth/v1/security_pb';
import { ROLES, type Role, roleName } from '../session/roles';
import type { Tone } from '../ui/badge';

/** `business` is what the business of the event is called. */
type Look = { icon: LucideIcon; tone: Tone; says: (event: SecurityEvent, business: string) => string };

const plain = (icon: LucideIcon, tone: Tone, text: string): Look => ({ icon, tone, says: () => text });

const LOOKS: Readonly<Partial<Record<Kind, Look>>> = {
  [Kind.SIGNED_IN]: {
    icon: LogIn,
    tone: 'quiet',
    says: ({ detail }) => (detail === 'google' ? 'You signed in with Google.' : 'You signed in.'),
  },
  [Kind.SIGN_IN_FAILED]: plain(TriangleAlert, 'warn', 'A sign-in failed: wrong password.'),
  [Kind.SIGN_IN_BLOCKED]: plain(Lock, 'bad', 'Sign-in was blocked after too many wrong passwords.'),
  [Kind.SIGNED_OUT]: plain(LogOut, 'quiet', 'You signed out.'),
  [Kind.SIGNED_OUT_EVERYWHERE]: plain(LogOut, 'info', 'You signed out everywhere.'),
  [Kind.SESSION_ENDED]: plain(LogOut, 'quiet', 'A session was signed out.'),
  [Kind.TOKEN_REUSED]: plain(
    ShieldAlert,
    'bad',
    'An old sign-in was used again, so that session was ended. Change your password if it was not you.',
  ),
  [Kind.PASSWORD_CHANGED]: plain(KeyRound, 'info', 'Your password was changed.'),
  [Kind.PASSWORD_RESET_REQUESTED]: plain(
    MailQuestion,
    'quiet',
    'A link to choose a new password was asked for.',
  ),
  [Kind.PASSWORD_RESET]: plain(KeyRound, 'info', 'Your password was reset by a mailed link.'),
  [Kind.EMAIL_CHANGE_REQUESTED]: {
    icon: MailQuestion,
    tone: 'info',
    says: ({ detail }) => `A change of your e-mail${to(detail)} was asked for.`,
  },
  [Kind.EMAIL_CHANGE_CANCELLED]: {
    icon: MailX,
    tone: 'quiet',
    says: ({ detail }) => `You kept your e-mail: the change${to(detail)} was dropped.`,
  },
  [Kind.EMAIL_CHANGED]: {
    icon: MailCheck,
    tone: 'info',
    says: ({ detail }) => `Your e-mail was changed${to(detail)}.`,
  },
  [Kind.EMAIL_VERIFIED]: plain(BadgeCheck, 'good', 'You confirmed your e-mail address.'),
  [Kind.REGISTERED]: plain(UserPlus, 'good', 'Your account was created.'),
  [Kind.DEVICE_TRUSTED]: plain(ShieldCheck, 'good', 'You trusted a device.'),
  [Kind.DEVICE_REVOKED]: plain(ShieldOff, 'quiet', 'A device is no longer trusted.'),
  [Kind.DEVICE_CODE_FAILED]: plain(ShieldQuestion, 'warn', 'A wrong code was entered to trust a device.'),
  [Kind.IDENTITY_CONNECTED]: {
    icon: Link2,
    tone: 'info',
    says: ({ detail }) => `Sign-in with Google was connected${about(detail)}.`,
  },
  [Kind.IDENTITY_DISCONNECTED]: {
    icon: Link2Off,
    tone: 'info',
    says: ({ detail }) => `Sign-in with Google was disconnected${about(detail)}.`,
  },
  [Kind.ROLE_CHANGED]: {
    icon: UserCog,
    tone: 'info',
    says: ({ detail, actorName, businessId }, business) => {
      if (!isRole(detail) && businessId)
        return actorName
          ? `${actorName} removed you from ${business}.`
          : `You are no longer a member of ${business}.`;
      const where = businessId ? ` at ${business}` : '';
      const who = actorName ? `${actorName} changed your role${where}` : `Your role${where} was changed`;
      return isRole(detail) ? `${who} to ${roleName(detail).toLowerCase()}.` : `${who}.`;
    },
  },
  [Kind.JOINED]: {
    icon: UserPlus,
    tone: 'good',
    says: ({ detail, actorName }, business) => {
      const as = isRole(detail) ? ` as ${roleName(detail).toLowerCase()}` : '';
      return `You joined ${business}${as}${actorName ? `, invited by ${actorName}` : ''}.`;
    },
  },
  [Kind.INVITED]: {
    icon: UserPlus,
    tone: 'info',
    says: ({ detail }, business) => `You invited ${detail || 'a colleague'} to ${business}.`,
  },
  [Kind.INVITATION_WITHDRAWN]: {
    icon: UserMinus,
    tone: 'quiet',
    says: ({ detail }, business) =>
      `You withdrew the invitation of ${detail || 'a colleague'} to ${business}.`,
  },
  [Kind.DISABLED]: plain(UserX, 'bad', 'Your account was disabled.'),
  [Kind.ENABLED]: plain(BadgeCheck, 'good', 'Your account was enabled again.'),
  [Kind.BLOCK_LIFTED]: {
    icon: LockOpen,
    tone: 'good',
    says: ({ actorName }) =>
      actorName ? `${actorName} lifted the sign-in block.` : 'The sign-in block was lifted.',
  },
  [Kind.REFUSED]: plain(Ban, 'warn', 'Something was refused for want of a role or a trusted device.'),
};

/** A kind this page is too old to know. */
const UNKNOWN = plain(ShieldQuestion, 'quiet', 'Something happened on your account.');

export function lookOf(kind: Kind): Look {
  return LOOKS[kind] ?? UNKNOWN;
}

const to = (address: string) => (address.includes('@') ? ` to ${address}` : '');
const about = (address: string) => (address.includes('@') ? ` (${address})` : '');
const isRole = (text: string): text is Role => ROLES.includes(text as Role);
