import { ProposalService } from '../src/gen/frontdesk/scheduling/v1/proposal_pb';
import { useOwnDay } from './own-day';
import { people, WILLOW } from './stack';
import { expect, test } from './test';

const FRIDAY = 5;
const day = useOwnDay(FRIDAY, 160);

test('a day whose only gap is worth no call gets no proposal, and is told why', async () => {
  // Ten minutes after midnight, when the day begins: less than a call to the customer is worth.
  await day.book('Wanda Worthless', day.noah, '00:10');
  const page = await day.page({ as: people.manager }, '&panel=optimise');
  const panel = page.getByRole('complementary', { name: 'Optimise day' });
  await panel.getByLabel('Fit in people from the waitlist').uncheck();
  await panel.getByRole('button', { name: 'Look for a better day' }).click();
  await panel.getByText('No change is worth it').waitFor();
  await panel.getByText(/None brings more than the calls to customers that it takes\.$/).waitFor();
  expect(await panel.getByRole('button', { name: /^Apply/ }).count()).toBe(0);
  const { proposals } = await day.client.call(ProposalService.method.listProposals, {
    businessId: WILLOW,
    fromDate: day.date,
  });
  expect(proposals.filter(({ date }) => date === day.date)).toEqual([]);
});
