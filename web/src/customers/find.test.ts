import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { CustomerSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { findCustomers, isPhone, isWholePhone } from './find';

const customers = [
  create(CustomerSchema, { name: 'Chloé Durand', phone: '+447700900126' }),
  create(CustomerSchema, { name: 'Ben Carter', phone: '+447700900133', email: 'b.j_smith@mail.example' }),
  create(CustomerSchema, { name: 'Wilhelmina van der Bergh-Castellanos', phone: '' }),
];
const found = (text: string) => findCustomers(customers, text).map(({ name }) => name);

describe('looking for a customer', () => {
  it('goes by the beginnings of names, in any order, without accents or case', () => {
    expect(found('chloe')).toEqual(['Chloé Durand']);
    expect(found('cart be')).toEqual(['Ben Carter']);
    expect(found('castel')).toEqual(['Wilhelmina van der Bergh-Castellanos']);
    expect(found('arter')).toEqual([]);
  });

  it('goes by the e-mail address and the beginnings of its parts', () => {
    for (const text of ['b.j_smith@mail.example', 'b.j', 'smith', 'mail', 'ben smith'])
      expect(found(text), text).toEqual(['Ben Carter']);
    expect(found('ith')).toEqual([]);
  });

  it('goes by a part of the number, as it is dialled or with the country', () => {
    expect(found('07700 900 133')).toEqual(['Ben Carter']);
    expect(found('900126')).toEqual(['Chloé Durand']);
    expect(found('000')).toEqual([]);
  });

  it('distinguishes numbers from names, and whole numbers from beginnings', () => {
    expect([isPhone('+44 7700'), isPhone('Ben 2'), isPhone('07')]).toEqual([true, false, false]);
    expect([isWholePhone('07700 9'), isWholePhone('07700 900133')]).toEqual([false, true]);
  });
});
