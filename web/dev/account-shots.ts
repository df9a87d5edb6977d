import { paths } from '../src/paths';
import { WILLOW } from './fixtures';
import type { Shot } from './shot';

const owner = 'owner@demo.test';
const desk = ['desktop-light'];
const deskAndPhone = ['desktop-light', 'phone-dark'];

/** The pages of accounts and members. */
export const ACCOUNT_SHOTS: Shot[] = [
  { name: 'register', path: paths.register },
  {
    name: 'register-typed',
    path: paths.register,
    looks: deskAndPhone,
    act: async (page) => {
      await page.getByLabel('Your name').fill('Nadia Rahman');
      await page.getByLabel('Password', { exact: true }).fill('teapot and co');
      await page.getByRole('button', { name: 'Create account' }).click();
    },
  },
  {
    name: 'register-sent',
    path: paths.register,
    looks: desk,
    act: async (page) => {
      await page.getByLabel('Your name').fill('Nadia Rahman');
      await page.getByLabel('E-mail').fill('nadia@demo.test');
      await page.getByLabel('Password', { exact: true }).fill('teapot and co');
      await page.getByRole('button', { name: 'Create account' }).click();
    },
  },
  { name: 'register-invited', path: `${paths.register}?invitation=new` },
  { name: 'register-has-account', path: `${paths.register}?invitation=has-account`, looks: deskAndPhone },
  { name: 'register-accept', path: `${paths.register}?invitation=for-owner`, as: owner, looks: deskAndPhone },
  { name: 'register-other', path: `${paths.register}?invitation=new`, as: owner, looks: desk },
  { name: 'register-spent', path: `${paths.register}?invitation=spent`, looks: desk },
  { name: 'register-confirm', path: `${paths.register}?confirm=new`, looks: deskAndPhone },
  { name: 'register-confirmed', path: `${paths.register}?confirm=new`, as: owner, looks: desk },
  { name: 'register-unconfirmed', path: `${paths.register}?confirm=spent`, as: owner, looks: desk },
  { name: 'forgot', path: paths.forgotPassword },
  {
    name: 'forgot-sent',
    path: paths.forgotPassword,
    looks: deskAndPhone,
    act: async (page) => {
      await page.getByLabel('E-mail').fill(owner);
      await page.getByRole('button', { name: 'Send the link' }).click();
    },
  },
  {
    name: 'reset-spent',
    path: `${paths.resetPassword}?token=spent`,
    looks: desk,
    act: async (page) => {
      await page.getByLabel('New password', { exact: true }).fill('teapot and co');
      await page.getByLabel('New password again').fill('teapot and co');
      await page.getByRole('button', { name: 'Save password' }).click();
    },
  },
  { name: 'account', path: paths.myAccount, as: owner },
  { name: 'account-waiting', path: paths.myAccount, as: 'manager@demo.test', looks: deskAndPhone },
  { name: 'account-unverified', path: paths.myAccount, as: 'guest@demo.test', looks: desk },
  {
    name: 'account-empty',
    path: paths.myAccount,
    as: owner,
    looks: desk,
    scenario: { ListSessions: 'empty', ListTrustedDevices: 'empty', ListSecurityEvents: 'empty' },
  },
  {
    name: 'account-broken',
    path: paths.myAccount,
    as: owner,
    looks: desk,
    scenario: {
      GetMe: 'broken',
      ListIdentities: 'broken',
      ListSessions: 'broken',
      ListTrustedDevices: 'broken',
      ListSecurityEvents: 'broken',
    },
  },
  {
    name: 'account-loading',
    path: paths.myAccount,
    as: owner,
    looks: desk,
    scenario: {
      GetMe: 'silent',
      ListIdentities: 'silent',
      ListSessions: 'silent',
      ListTrustedDevices: 'silent',
      ListSecurityEvents: 'silent',
    },
  },
  {
    name: 'account-forms',
    path: paths.myAccount,
    as: owner,
    looks: ['desktop-light', 'phone-light'],
    act: async (page) => {
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Olivia Hart-Bell');
      await page.getByRole('button', { name: 'Change e-mail' }).click();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('New password').fill('olivia.hart1');
    },
  },
  {
    name: 'account-everywhere-dialog',
    path: paths.myAccount,
    as: owner,
    looks: deskAndPhone,
    act: (page) => page.getByRole('button', { name: 'Sign out everywhere' }).click(),
  },
  {
    name: 'account-device-dialog',
    path: paths.myAccount,
    as: owner,
    scenario: { ChangeEmail: 'untrusted' },
    looks: ['desktop-light', 'desktop-dark', 'phone-light'],
    act: async (page) => {
      await page.getByRole('button', { name: 'Change e-mail' }).click();
      await page.getByLabel('New e-mail').fill('olivia@willow.test');
      await page.getByLabel('Your password').fill('Frontdesk-demo-1');
      await page.getByRole('button', { name: 'Send link' }).click();
      await page.getByLabel('Code from the e-mail').fill('111111');
    },
  },
  ...(
    [
      ['account-disconnect', paths.myAccount, 'manager@demo.test', 'Disconnect'],
      ['members-withdraw', paths.members(WILLOW), owner, 'Withdraw'],
    ] as const
  ).map(
    ([name, path, as, word]): Shot => ({
      name: `${name}-dialog`,
      path,
      as,
      looks: deskAndPhone,
      act: (page) =>
        page
          .getByRole('button', { name: new RegExp(`^${word}`) })
          .first()
          .click(),
    }),
  ),
  {
    name: 'members-remove-dialog',
    path: paths.members(WILLOW),
    as: owner,
    looks: deskAndPhone,
    act: async (page) => {
      await page.getByRole('button', { name: 'More about Maya Okafor' }).click();
      await page.getByRole('menuitem', { name: /^Remove/ }).click();
    },
  },
  { name: 'members', path: paths.members(WILLOW), as: owner },
  {
    name: 'members-empty',
    path: paths.members(WILLOW),
    as: owner,
    looks: desk,
    scenario: { ListMembers: 'empty', ListInvitations: 'empty' },
  },
  {
    name: 'members-broken',
    path: paths.members(WILLOW),
    as: owner,
    looks: desk,
    scenario: { ListMembers: 'broken', ListInvitations: 'silent' },
  },
  {
    name: 'members-role-dialog',
    path: paths.members(WILLOW),
    as: owner,
    looks: deskAndPhone,
    act: (page) => page.getByRole('button', { name: 'Role of Maya Okafor: Employee' }).click(),
  },
  {
    name: 'members-menu-dialog',
    path: paths.members(WILLOW),
    as: 'admin@demo.test',
    looks: deskAndPhone,
    act: (page) => page.getByRole('button', { name: 'More about Maya Okafor' }).click(),
  },
  {
    name: 'members-invite-dialog',
    path: paths.members(WILLOW),
    as: owner,
    act: (page) => page.getByRole('button', { name: 'Invite member' }).click(),
  },
];
