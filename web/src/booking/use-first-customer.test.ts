// @vitest-environment jsdom
import { create } from '@bufbuild/protobuf';
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { type Customer, CustomerSchema } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { useFirstCustomer } from './use-first-customer';

const wilma = create(CustomerSchema, { id: 'c1', name: 'Wilma' });

const open = (decided?: Customer | null) =>
  renderHook(({ known }: { known: Customer | undefined }) => useFirstCustomer(known, decided), {
    initialProps: { known: undefined as Customer | undefined },
  });

afterEach(cleanup);

describe('the customer of a booking', () => {
  it('is the one of the page once it is read, until they are removed', () => {
    const { result, rerender } = open();
    expect(result.current[0]).toBeNull();
    rerender({ known: wilma });
    expect(result.current[0]).toBe(wilma);
    act(() => result.current[1](null));
    expect(result.current[0]).toBeNull();
  });

  it('does not replace what is being typed', () => {
    const { result, rerender } = open();
    act(() => result.current[2]());
    rerender({ known: wilma });
    expect(result.current[0]).toBeNull();
  });

  it('stays removed where the walk-in removed them', () => {
    const { result, rerender } = open(null);
    rerender({ known: wilma });
    expect(result.current[0]).toBeNull();
  });
});
