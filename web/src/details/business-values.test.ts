import { create } from '@bufbuild/protobuf';
import { expect, it } from 'vitest';
import { BusinessSchema } from '../gen/frontdesk/tenancy/v1/business_pb';
import { businessValues } from './business-values';

it('shows the number of a business grouped, as it is everywhere else', () => {
  const { phone } = businessValues(create(BusinessSchema, { phone: '+442079460014' }));
  expect(phone).toBe('+44 20 7946 0014');
});
