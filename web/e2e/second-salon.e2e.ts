import { MemberService } from '../src/gen/frontdesk/auth/v1/member_pb';
import { freshPage, heading, inside } from './browser';
import { LINKS, mailed } from './mail';
import { RestClient } from './rest';
import { PASSWORD, people, SECOND } from './stack';
import { expect, test } from './test';

const OWNER = `olwen-${crypto.randomUUID().slice(0, 8)}@demo.test`;

test.describe('the demo’s second salon, half set up', () => {
  test.afterAll(async () => {
    const client = await RestClient.as(people.admin);
    const { members } = await client.call(MemberService.method.listMembers, { businessId: SECOND });
    for (const { userId, email } of members)
      if (email === OWNER)
        await client.call(MemberService.method.removeMember, { businessId: SECOND, userId });
  });

  test('tells its administrator and then its owner what is left, with the way there', async () => {
    const admin = await freshPage({ as: people.admin });
    await admin.goto('/admin');
    await inside(admin);
    const waiting = admin.getByRole('list', { name: 'Needs an administrator' });
    await waiting
      .getByText(
        'Add employees and their hours, add services that employees do, invite the owner, connect the telephone',
      )
      .waitFor();
    await waiting.getByRole('link', { name: 'Go on setting up Harbour Barbers' }).click();
    await heading(admin, 'Set up Harbour Barbers').waitFor();
    await heading(admin, 'Employees').waitFor();
    const team = admin.getByRole('list', { name: 'Employees' });
    await team.getByText('Joe Penrose').waitFor();
    await admin
      .getByRole('navigation', { name: 'Steps' })
      .getByRole('link', { name: /^Owner/ })
      .click();
    await admin.getByLabel('E-mail of the owner').fill(OWNER);
    await admin.getByRole('button', { name: 'Send invitation' }).click();
    await admin.getByRole('list', { name: 'Invitations' }).getByText(OWNER).waitFor();

    const owner = await freshPage();
    await owner.goto(await mailed(OWNER, LINKS.invitation));
    await owner.getByLabel('Your name').fill('Olwen Owner');
    await owner.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await owner.getByRole('button', { name: 'Create account and join' }).click();
    await owner.waitForURL(`**/${SECOND}`);
    await heading(owner, 'Harbour Barbers').waitFor();
    const left = owner.getByRole('list', { name: 'Left to set up' });
    const ways = [
      ['Add employees and their hours', `/${SECOND}/details?tab=team`, 'Employees'],
      ['Add services that employees do', `/${SECOND}/services`, 'Services'],
      ['Connect the telephone', `/${SECOND}/details?tab=integrations`, 'Voice platform'],
      ['Publish the agent', `/${SECOND}/agent`, 'Agent settings'],
    ] as const;
    for (const from of ['', '/schedule', '/team']) {
      await owner.goto(`/${SECOND}${from}`);
      await expect(left.getByRole('link')).toHaveCount(ways.length);
      for (const [name] of ways) await left.getByRole('link', { name }).waitFor();
    }
    for (const [name, path, found] of ways) {
      await owner.goto(`/${SECOND}`);
      await left.getByRole('link', { name }).click();
      await owner.waitForURL(`**${path}`);
      await heading(owner, found).first().waitFor();
    }
    await owner.goto(`/${SECOND}/services`);
    await owner.getByText('Skin fade').first().waitFor();
  });
});
