import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';

/** A customer as a form holds one. */
export type CustomerValues = { name: string; phone: string; email: string; tags: string[] };

const FIELDS = ['name', 'phone', 'email', 'tags'] as const;

export function valuesOf(customer: Customer | undefined): CustomerValues {
  const { name = '', phone = '', email = '', tags = [] } = customer ?? {};
  return { name, phone, email, tags: [...tags] };
}

export const sameValues = (one: CustomerValues, other: CustomerValues): boolean =>
  FIELDS.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));

/** The form's field that a violation is about: "tags[3]" is about the tags. */
export function fieldOf(violated: string): (typeof FIELDS)[number] | undefined {
  return FIELDS.find((field) => violated === field || violated.startsWith(`${field}[`));
}
