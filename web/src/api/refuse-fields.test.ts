import { expect, it, vi } from 'vitest';
import { ApiError } from '../http/errors';
import { refuseFields } from './refuse-fields';

type Values = { name: string; phone: string };

function said(violations: { field: string; description: string }[]) {
  const setError = vi.fn();
  const error = new ApiError('', { kind: 'refused', status: 400, reason: '', metadata: {}, violations });
  const fieldOf = (field: string) => (({ name: 'name', phone_number: 'phone' }) as const)[field];
  refuseFields<Values>({ setError }, error, fieldOf, 'It could not be saved.');
  return setError.mock.calls;
}

it('says what was refused at its fields, with the focus on the first', () => {
  const refused = [
    { field: 'name', description: 'is required' },
    { field: 'phone_number', description: 'is no number' },
    { field: 'business_id', description: 'is unknown' },
  ];
  expect(said(refused)).toEqual([
    ['name', { message: 'is required' }, { shouldFocus: true }],
    ['phone', { message: 'is no number' }, { shouldFocus: false }],
  ]);
});

it('says at the foot of the form what is about none of its fields', () => {
  const [[place, why] = []] = said([{ field: 'business_id', description: 'is unknown' }]);
  expect(place).toBe('root');
  expect(why.message).not.toBe('');
});
