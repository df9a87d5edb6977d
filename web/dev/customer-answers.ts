import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { CustomerNoteSchema } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import type {
  CustomerSchema,
  GetCustomerRequest,
  ListCustomersRequest,
} from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import type { Answer } from './answers';
import { appointments, id, LONG_NAME, NOW } from './fixtures';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => timestampFromDate(new Date(NOW.getTime() - days * DAY_MS));

type Customer = MessageInitShape<typeof CustomerSchema>;

const TAGS = [['VIP', 'Colour'], [], ['Prefers mornings'], [], ['Patch test due']];

/** Those who have visits, one who gave nothing but a very long name, and everything there is about the first. */
const customers: Customer[] = [
  ...appointments.filter(({ customerId }) => customerId),
  { customerId: id(4, 999), customerName: LONG_NAME, customerPhone: '' },
].map(({ customerId, customerName, customerPhone }, index) => ({
  id: customerId ?? '',
  name: customerName ?? '',
  phone: customerPhone ?? '',
  email: index % 3 === 1 ? '' : `${(customerName ?? '').toLowerCase().replace(/[^a-z]+/g, '.')}@example.com`,
  tags: TAGS[index % TAGS.length] ?? [],
  version: 1n,
  ...(index % 2 === 0
    ? { marketingConsent: { given: index % 4 === 0, recordedAt: daysAgo(40), recordedBy: 'user:1' } }
    : {}),
}));

const NOTES: [text: string, author: string, pinned: boolean, days: number][] = [
  ['Allergic to PPD: no permanent colour without a patch test.', 'Sofia Marchetti', true, 220],
  ['Likes a quiet appointment.\nCoffee with oat milk.', 'Jin Park', false, 12],
  ['Her daughter Ella comes along in the holidays.', '', false, 150],
];

const notes: MessageInitShape<typeof CustomerNoteSchema>[] = NOTES.map(
  ([text, authorName, pinned, days], index) => ({
    id: id(61, index + 1),
    text,
    authorName,
    pinned,
    createdAt: daysAgo(days),
    createdBy: 'user:1',
    version: 1n,
  }),
);

/** Whose profile the screenshots show. */
export const SHOWN_CUSTOMER = customers[0]?.id ?? '';

const found = ({ phone, query }: ListCustomersRequest) =>
  customers.filter(
    (customer) =>
      (!phone || customer.phone === phone) &&
      [customer.name, customer.email, customer.phone].some((text) =>
        text?.toLowerCase().includes(query.toLowerCase()),
      ),
  );

export const CUSTOMER_ANSWERS: Record<string, Answer> = {
  ListCustomers: (request) => ({ customers: found(request as ListCustomersRequest) }),
  GetCustomer: (request) => ({
    customer: customers.find((customer) => customer.id === (request as GetCustomerRequest).customerId),
  }),
  ListCustomerNotes: () => ({ notes }),
};
