import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { AppointmentSchema } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { pricesOf } from './prices';

const visit = (priceMinor: number, items: number[], currency = 'GBP') =>
  create(AppointmentSchema, { priceMinor, currency, items: items.map((minor) => ({ priceMinor: minor })) });

describe('the prices of a visit', () => {
  it('are those of its services and their total', () => {
    expect(pricesOf(visit(8550, [4500, 4050]))).toEqual({ items: ['£45', '£40.50'], total: '£85.50' });
    expect(pricesOf(visit(4500, [4500, 0]))).toEqual({ items: ['£45', '£0'], total: '£45' });
  });

  it('are the total alone where the services say something else', () => {
    expect(pricesOf(visit(8000, [4500, 0]))).toEqual({ items: ['', ''], total: '£80' });
    expect(pricesOf(visit(8000, [0]))).toEqual({ items: ['£80'], total: '£80' });
  });

  it('are unknown where none is set', () => {
    expect(pricesOf(visit(0, [0, 0]))).toBeUndefined();
    expect(pricesOf(visit(4500, [4500], ''))).toBeUndefined();
  });
});
