import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { MemberService } from '../src/gen/frontdesk/auth/v1/member_pb';
import { atHome, enter, freshPage, heading, inside, signedIn } from './browser';
import { LINKS, mailed } from './mail';
import { RestClient } from './rest';
import { PASSWORD, people, WILLOW } from './stack';
import { expect, test } from './test';
import { until } from './until';

const NEW_PASSWORD = 'teapot and a saucer';

const address = (who: string) => `${who.toLowerCase()}-${randomUUID().slice(0, 8)}@demo.test`;

/** An account with a membership in the salon, created through the pages. */
async function employee(name: string): Promise<{ email: string; link: string; page: Page }> {
  const email = address(name);
  const owner = await RestClient.as(people.owner);
  await owner.call(MemberService.method.invite, { businessId: WILLOW, email, role: 'EMPLOYEE' });
  const link = await mailed(email, LINKS.invitation);
  const page = await freshPage();
  await page.goto(link);
  await heading(page, 'Join the team').waitFor();
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(`**/${WILLOW}`);
  await inside(page);
  return { email, link, page };
}

test.describe('an invitation', () => {
  test('is sent, accepted with a new account, and leads to the business', async () => {
    const email = address('nadia');
    const owner = await atHome(people.owner);
    await owner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Members' }).click();
    await heading(owner, 'Members').waitFor();
    await owner.getByRole('button', { name: 'Invite member' }).click();
    const dialog = owner.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Role').selectOption('MANAGER');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await owner.getByText(`Invitation sent to ${email}.`).waitFor();

    const page = await freshPage();
    await page.goto(await mailed(email, LINKS.invitation));
    await heading(page, 'Join the team').waitFor();
    await page.getByText('Willow & Co').waitFor();
    await page.getByText('Manager', { exact: true }).waitFor();
    expect(page.url()).not.toContain('invitation');
    expect(await page.evaluate(() => document.referrer)).toBe('');
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email);
    await page.getByLabel('Your name').fill('Nadia Rahman');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.waitForURL(`**/${WILLOW}`);
    await heading(page, 'Next appointments').waitFor();

    await page.goto('/my/account');
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByText('Your account was created.').waitFor();

    await owner.reload();
    await owner.getByRole('list', { name: 'Members' }).getByText(email).waitFor();
    expect(await owner.getByRole('list', { name: 'Invitations' }).getByText(email).count()).toBe(0);
  });

  test('is accepted by the holder of an account, after signing in', async () => {
    const { email, link, page: before } = await employee('Tom');
    const admin = await RestClient.as(people.admin);
    const { members } = await admin.call(MemberService.method.listMembers, {
      businessId: WILLOW,
      pageSize: 200,
    });
    const userId = members.find((member) => member.email === email)?.userId ?? '';
    await admin.call(MemberService.method.removeMember, { businessId: WILLOW, userId });
    await before.context().close();
    await admin.call(MemberService.method.invite, { businessId: WILLOW, email, role: 'GUEST' });

    const page = await freshPage();
    await page.goto(await mailed(email, LINKS.invitation, { not: link }));
    await page.getByRole('link', { name: 'Sign in to accept' }).click();
    await enter(page, email);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.waitForURL(`**/${WILLOW}`);
    await heading(page, 'Opening hours').waitFor();
  });

  test('no longer works once it is withdrawn', async () => {
    const email = address('late');
    const owner = await RestClient.as(people.owner);
    const { invitation } = await owner.call(MemberService.method.invite, {
      businessId: WILLOW,
      email,
      role: 'GUEST',
    });
    const link = await mailed(email, LINKS.invitation);
    await owner.call(MemberService.method.withdrawInvitation, {
      businessId: WILLOW,
      invitationId: invitation?.id ?? '',
    });
    const page = await freshPage();
    await page.goto(link);
    await heading(page, 'This invitation no longer works').waitFor();
  });
});

test.describe('registering without an invitation', () => {
  test('creates an account without a membership, whose address the mailed link confirms', async () => {
    const email = address('guest');
    const page = await freshPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Your name').fill('Gil');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Check your e-mail').waitFor();

    await page.goto(await mailed(email, LINKS.confirmation));
    await heading(page, 'Sign in to confirm your address').waitFor();
    expect(page.url()).not.toContain('confirm');
    await page.getByRole('link', { name: 'Sign in' }).click();
    await enter(page, email);
    await heading(page, 'Your address is confirmed').waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('confirmation'))).toBeNull();
    await page.getByRole('link', { name: 'Go to your account' }).click();
    await heading(page, 'Your account').waitFor();
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.goto('/my/businesses');
    await page.getByText('You are not part of any business yet').waitFor();
  });
});

test.describe('a link that confirms an address', () => {
  test('confirms nothing while another account is signed in, and works for its own account after that one signs out', async () => {
    const email = address('gwen');
    const page = await freshPage();
    await page.goto('/register');
    await page.getByLabel('Your name').fill('Gwen');
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await heading(page, 'Check your e-mail').waitFor();

    const shared = await signedIn(people.guest);
    await shared.goto(await mailed(email, LINKS.confirmation));
    await shared.getByText(`You are signed in as ${people.guest}`, { exact: false }).waitFor();
    await shared.getByRole('button', { name: 'Sign out and go on' }).click();
    await heading(shared, 'Sign in to confirm your address').waitFor();
    await shared.getByRole('link', { name: 'Sign in' }).click();
    await enter(shared, email);
    await heading(shared, 'Your address is confirmed').waitFor();
  });

  test('lets the owner of an address set a password, which takes over an account registered by another person', async () => {
    const email = address('victim');
    const squatter = await freshPage();
    await squatter.goto('/register');
    await squatter.getByLabel('Your name').fill('Sam Squatter');
    await squatter.getByLabel('E-mail').fill(email);
    await squatter.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await squatter.getByRole('button', { name: 'Create account' }).click();
    await heading(squatter, 'Check your e-mail').waitFor();
    await squatter.getByRole('link', { name: 'Go to sign in' }).click();
    await enter(squatter, email);
    await inside(squatter);
    await squatter.goto('/my/account');
    await squatter.getByText('Not verified', { exact: true }).waitFor();

    const page = await freshPage();
    await page.goto(await mailed(email, LINKS.confirmation));
    await page.getByRole('link', { name: 'Set a password of your own' }).click();
    await heading(page, 'Forgot your password?').waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading(page, 'Check your e-mail').waitFor();
    await page.goto(await mailed(email, LINKS.reset));
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.waitForURL('**/login');
    await squatter.reload();
    await squatter.waitForURL('**/login');
    await enter(page, email, NEW_PASSWORD);
    await inside(page);
    await page.goto('/my/account');
    await page.getByText('Verified', { exact: true }).waitFor();
  });
});

test.describe('a forgotten password', () => {
  test('is replaced through the mailed link, which works once', async () => {
    const { email } = await employee('Priya');
    const page = await freshPage();
    await page.goto('/login');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    // The sign-in page stays until the next page is loaded, and has an e-mail field as well.
    await heading(page, 'Forgot your password?').waitFor();
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await heading(page, 'Check your e-mail').waitFor();

    const link = await mailed(email, LINKS.reset);
    await page.goto(link);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(NEW_PASSWORD);
    expect(page.url()).not.toContain('token');
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.waitForURL('**/login');
    await page.getByText('Your password has been reset successfully').waitFor();
    await enter(page, email, NEW_PASSWORD);
    await inside(page);

    const again = await freshPage();
    await again.goto(link);
    await again.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await again.getByLabel('New password again').fill(NEW_PASSWORD);
    await again.getByRole('button', { name: 'Save password' }).click();
    await heading(again, 'This link no longer works').waitFor();
  });

  test('is not replaced by what the server refuses, in a whole sentence at the field and in the toast', async () => {
    const { email } = await employee('Rhea');
    const page = await freshPage();
    await page.goto('/forgot-password');
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.goto(await mailed(email, LINKS.reset));
    const field = page.getByLabel('New password', { exact: true });
    const refused = async (password: string, sentence: string) => {
      await field.fill(password);
      await page.getByLabel('New password again').fill(password);
      await page.getByRole('button', { name: 'Save password' }).click();
      const toast = page.getByRole('region', { name: 'Session notifications' }).getByRole('paragraph');
      await toast.getByText(sentence, { exact: true }).waitFor();
      const form = page.getByRole('form', { name: 'Choose a new password' });
      await form.getByText(sentence, { exact: true }).waitFor();
      expect(await field.getAttribute('aria-invalid')).toBe('true');
    };
    await refused(email, 'The new password must not be your e-mail address.');
    // The page refuses what is too short by itself: it is shortened on its way.
    await page.route('**/api/auth/reset-password', (route) =>
      route.continue({
        postData: JSON.stringify({ ...route.request().postDataJSON(), newPassword: 'short' }),
      }),
    );
    await refused(NEW_PASSWORD, 'The new password must have 8 to 128 characters.');
  });
});

test.describe('the account page', () => {
  test('changes the password and ends the other browser’s session at once', async () => {
    const { email, page } = await employee('Hannah');
    const other = await signedIn(email);
    await heading(other, 'Next appointments').waitFor();

    await page.goto('/my/account');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByLabel('Current password').fill('not it at all');
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('That is not your password.').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByText('Password saved. Every other browser is signed out.').waitFor();

    // The other browser gets no input: its live socket reports the change.
    await other.waitForURL('**/login');
    await page.getByText('Your password was changed.').waitFor();
    await page.reload();
    await heading(page, 'Your account').waitFor();
    await (await signedIn(email, { password: NEW_PASSWORD })).close();
  });

  test('signs out one other session, and everything', async () => {
    const { email, page } = await employee('Daniel');
    const other = await signedIn(email);
    const third = await signedIn(email);
    await page.goto('/my/account');
    const sessions = page.getByRole('list', { name: 'Where you are signed in' });
    await sessions.getByText('This browser', { exact: true }).waitFor();
    await until(async () => expect(await sessions.getByRole('listitem').count()).toBe(3));

    const others = sessions.getByRole('listitem').filter({ hasNotText: 'in use now' });
    await others
      .first()
      .getByRole('button', { name: /^Sign out \(/ })
      .click();
    await page.getByText('Signed out there.').waitFor();
    await Promise.any([other, third].map((left) => left.waitForURL('**/login')));
    await until(async () => expect(await sessions.getByRole('listitem').count()).toBe(2));

    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    for (const left of [page, other, third]) await left.waitForURL('**/login');
  });

  test('changes the name, and changes it back', async () => {
    const { page } = await employee('Amara');
    await page.goto('/my/account');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Amara Diallo');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Name saved.').waitFor();
    await page.getByRole('button', { name: 'Account of Amara Diallo' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Account of Amara', exact: true }).waitFor();
  });

  test('changes the e-mail once the new address is confirmed', async () => {
    const { email, page } = await employee('George');
    const next = address('george');
    await page.goto('/my/account');
    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByLabel('New e-mail').fill(address('mistyped'));
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByRole('button', { name: `Keep ${email}` }).click();
    await page.getByText(`You keep ${email}.`).waitFor();
    await page.getByText('takes its place', { exact: false }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Change e-mail' }).click();
    await page.getByLabel('New e-mail').fill(next);
    await page.getByLabel('Your password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText(`${next} takes its place`, { exact: false }).waitFor();
    await page.goto(await mailed(next, LINKS.confirmation));
    await heading(page, 'Your address is confirmed').waitFor();
    await (await signedIn(next)).close();
  });
});

test.describe('members', () => {
  test('change their role and lose their membership at once', async () => {
    const { email, page } = await employee('Lucia');
    const owner = await freshPage({ as: people.owner });
    await owner.goto(`/${WILLOW}/members`);
    const row = owner.getByRole('list', { name: 'Members' }).getByRole('listitem').filter({ hasText: email });
    await row.getByRole('button', { name: /^Role of/ }).click();
    await owner.getByRole('menuitemradio', { name: /^Guest/ }).click();
    await owner.getByText('Lucia is now guest.').waitFor();
    await page.goto(`/${WILLOW}/calls`);
    await heading(page, 'Access Restricted').waitFor();

    await row.getByRole('button', { name: /^More about/ }).click();
    await owner.getByRole('menuitem', { name: 'Remove from this business' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await owner.getByText('Lucia is no longer a member.').waitFor();
    await page.goto(`/${WILLOW}`);
    await heading(page, 'Page not found').waitFor();
  });
});
