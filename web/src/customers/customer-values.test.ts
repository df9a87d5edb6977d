import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { CustomerSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { fieldOf, valuesOf } from './customer-values';

it('a form begins with what is known, and changes nothing of it', () => {
  const customer = create(CustomerSchema, { name: 'Ana', phone: '+447700900123', tags: ['VIP'] });
  const values = valuesOf(customer);
  expect(values).toEqual({ name: 'Ana', phone: '+447700900123', email: '', tags: ['VIP'] });
  values.tags.push('Colour');
  expect(customer.tags).toEqual(['VIP']);
  expect(valuesOf(undefined)).toEqual({ name: '', phone: '', email: '', tags: [] });
});

it('a violation is shown at its field', () => {
  expect(['name', 'tags', 'tags[3]', 'version', 'phone_number'].map(fieldOf)).toEqual([
    'name',
    'tags',
    'tags',
    undefined,
    undefined,
  ]);
});
