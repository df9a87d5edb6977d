import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { PreviewCustomerMergeRequest } from '../src/gen/frontdesk/tenancy/v1/customer_merge_pb';
import type { CustomerNoteSchema } from '../src/gen/frontdesk/tenancy/v1/customer_note_pb';
import type {
  CustomerSchema,
  GetCustomerRequest,
  ListCustomersRequest,
} from '../src/gen/frontdesk/tenancy/v1/customer_pb';
import type { Answer } from './answer';
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
  GetPinnedNotes: ({ customerIds }) => ({
    customers: (customerIds as string[]).slice(0, 1).map((customerId) => ({
      customerId,
      texts: notes.filter(({ pinned }) => pinned).map(({ text }) => text),
    })),
  }),
  GetContactPolicy: () => ({ policy: { employeesSeeAll: false } }),
  GetCustomerFigures: () => ({
    visitCount: 14,
    firstVisitAt: daysAgo(640),
    lastVisitAt: daysAgo(33),
    usualServices: [
      { serviceId: id(3, 1), serviceName: 'Full colour', visitCount: 9, lastAt: daysAgo(33) },
      { serviceId: id(3, 2), serviceName: 'Women’s cut & finish', visitCount: 6, lastAt: daysAgo(61) },
    ],
    spends: [{ currency: 'GBP', priceMinor: 143_800n, visitCount: 14 }],
    noShowCount: 1,
    noShowsAt: [daysAgo(290)],
    timeZone: 'Europe/London',
  }),
  ListPatchTests: () => ({
    patchTests: [
      {
        id: id(62, 1),
        subject: 'Full colour',
        testedOn: '2026-05-02',
        result: 1,
        validUntil: '2026-11-02',
        authorName: 'Sofia Marchetti',
      },
      {
        id: id(62, 2),
        subject: 'Brow tint with oxidant 3%',
        testedOn: '2025-02-10',
        result: 2,
        validUntil: '2025-08-10',
        authorName: 'Jin Park',
      },
    ],
  }),
  ListFormulas: () => ({
    formulas: [
      {
        id: id(63, 1),
        text: '6/0 30 g + 6/7 30 g\n20 vol 60 ml, 35 min',
        mixedOn: '2026-05-02',
        appointmentId: id(5, 1),
        authorName: 'Sofia Marchetti',
      },
      { id: id(63, 2), text: '7/43 toner, 10 vol, 15 min', mixedOn: '2026-03-01', authorName: '' },
    ],
  }),
  ListConsentChanges: () => ({
    changes: [
      { given: true, recordedAt: daysAgo(40), authorName: 'Jin Park' },
      { given: false, recordedAt: daysAgo(400), authorName: '' },
    ],
  }),
  ListCustomerMerges: () => ({ merges: [] }),
  PreviewCustomerMerge: (request) => {
    const { customerId, mergedCustomerId } = request as PreviewCustomerMergeRequest;
    const one = (wanted: string) => customers.find((customer) => customer.id === wanted);
    const [customer, merged] = [one(customerId), one(mergedCustomerId)];
    return { customer, merged, combined: { ...customer, phone: customer?.phone || merged?.phone || '' } };
  },
};
