import { paths } from '../src/paths';
import { OTHER, WILLOW } from './fixtures';
import { LOOKED_AT, narrow, owner, press } from './salon-shots';
import type { Shot } from './shot';

const admin = 'admin@demo.test';

/** Services, their rules and pairings, and their figures. */
export const CATALOGUE_SHOTS: Shot[] = [
  { name: 'service-dialog', path: paths.services(WILLOW), as: owner, act: press('New service') },
  {
    name: 'services-archived',
    path: paths.services(WILLOW),
    as: owner,
    looks: narrow,
    act: async (page) => {
      await press('Change Full colour')(page);
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await page.getByText('Full colour is archived').waitFor();
    },
  },
  {
    name: 'services-empty',
    path: paths.services(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { ListServices: 'empty' },
  },
  { name: 'resources', path: paths.resources(WILLOW), as: owner, looks: narrow },
  { name: 'rules', path: paths.dependencies(WILLOW), as: owner },
  {
    name: 'rules-many',
    path: `${paths.adminDependencies}?business=${OTHER}`,
    as: admin,
    looks: LOOKED_AT,
  },
  {
    name: 'rules-contradiction',
    path: `${paths.adminDependencies}?business=${OTHER}`,
    as: admin,
    looks: LOOKED_AT,
    scenario: { CreateDependency: 'contradicting' },
    act: async (page) => {
      await press('New rule')(page);
      await page.getByLabel('First service').selectOption({ label: 'Wash' });
      await page.getByLabel('Second service').selectOption({ label: 'Bleach' });
      await page.getByRole('button', { name: 'Add rule' }).click();
      await page.getByRole('button', { name: 'See them on the page' }).click();
    },
  },
  {
    name: 'rules-empty',
    path: paths.dependencies(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListDependencies: 'empty' },
  },
  {
    name: 'rules-broken',
    path: paths.dependencies(WILLOW),
    as: owner,
    looks: ['desktop-light'],
    scenario: { ListDependencies: 'broken' },
  },
  { name: 'pairings', path: paths.pairings(WILLOW), as: owner },
  {
    name: 'pairings-empty',
    path: paths.pairings(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { ListPairings: 'empty', ListMeasuredPairings: 'empty' },
  },
  { name: 'schedule-check', path: paths.scheduleCheck(WILLOW), as: owner },
  {
    name: 'intelligence-table',
    path: `${paths.adminIntelligence(WILLOW)}?view=table`,
    as: admin,
    looks: LOOKED_AT,
  },
  {
    name: 'intelligence-dates',
    path: `${paths.intelligence(WILLOW)}?from=2026-11-10&to=2026-11-01&category=Colour`,
    as: owner,
    looks: narrow,
  },
  { name: 'pairings-admin', path: `${paths.adminPairings}?business=${WILLOW}`, as: admin, looks: narrow },
  { name: 'intelligence', path: paths.intelligence(WILLOW), as: owner },
  {
    name: 'intelligence-empty',
    path: paths.intelligence(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetServiceIntelligence: 'empty', ListUnmatchedPhrases: 'empty' },
  },
  {
    name: 'intelligence-broken',
    path: paths.intelligence(WILLOW),
    as: owner,
    looks: narrow,
    scenario: { GetServiceIntelligence: 'broken', ListUnmatchedPhrases: 'broken' },
  },
];
