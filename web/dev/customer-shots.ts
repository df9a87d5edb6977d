import type { Page } from '@playwright/test';
import { paths } from '../src/paths';
import { SHOWN_CUSTOMER } from './customer-answers';
import { WILLOW } from './fixtures';
import { LOOKED_AT, menuItem, narrow, owner, press } from './salon-shots';
import type { Shot } from './shot';

const search = (text: string) => (page: Page) => page.getByLabel('Search customers').fill(text);
const list = { path: paths.customers(WILLOW), as: owner };
const profile = { path: paths.customer(WILLOW, SHOWN_CUSTOMER), as: owner };

/** Customers: the list in each of its states, and a profile. */
export const CUSTOMER_SHOTS: Shot[] = [
  { name: 'customers', ...list },
  { name: 'customers-empty', ...list, looks: narrow, scenario: { ListCustomers: 'empty' } },
  { name: 'customers-broken', ...list, looks: narrow, scenario: { ListCustomers: 'broken' } },
  { name: 'customers-loading', ...list, looks: narrow, scenario: { ListCustomers: 'silent' } },
  {
    name: 'customers-none',
    ...list,
    looks: LOOKED_AT,
    act: async (page) => {
      await search('Zed Nowhere')(page);
      await page.getByText('No customer matches “Zed Nowhere”').waitFor();
    },
  },
  {
    name: 'customers-new-dialog',
    ...list,
    looks: LOOKED_AT,
    act: (page) => page.getByRole('button', { name: 'New customer' }).click(),
  },
  { name: 'customer', ...profile },
  { name: 'customer-long', ...profile, scenario: { ListCustomerAppointments: 'many' } },
  { name: 'customer-edit-dialog', ...profile, looks: LOOKED_AT, act: press('Edit customer') },
  { name: 'customer-note-dialog', ...profile, looks: narrow, act: press(/^Edit Allergic/) },
  { name: 'customer-patch-test-dialog', ...profile, looks: LOOKED_AT, act: press('Add patch test') },
  { name: 'customer-formula-dialog', ...profile, looks: narrow, act: press('Add formula') },
  {
    name: 'customer-merge-dialog',
    ...profile,
    act: async (page) => {
      const merge = page.getByRole('button', { name: 'Merge', exact: true });
      // A phone has it in a menu.
      if ((await merge.count()) > 0) await merge.click();
      else await menuItem('More for this customer', 'Merge…')(page);
      await page.getByRole('combobox', { name: 'Customer' }).click();
      await page.getByRole('option').nth(1).click();
      await page.getByRole('region', { name: 'After the merge' }).waitFor();
    },
  },
  { name: 'customer-loading', ...profile, looks: narrow, scenario: { GetCustomer: 'silent' } },
  { name: 'customer-broken', ...profile, looks: narrow, scenario: { GetCustomer: 'broken' } },
  {
    name: 'customer-parts-broken',
    ...profile,
    looks: narrow,
    scenario: { ListCustomerNotes: 'broken', ListCustomerAppointments: 'broken' },
  },
];
