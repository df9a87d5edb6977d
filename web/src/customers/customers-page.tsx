import { Box, Flex } from '@chakra-ui/react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, SearchX, Upload, UserPlus, UsersRound } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { type LoaderFunctionArgs, useNavigate, useParams } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { queries } from '../api/query-client';
import { warm } from '../api/warm';
import { useSeesOwnContactsOnly } from '../business/contact-policy';
import { useBusinessRole } from '../business/queries';
import { useSearchText } from '../finding/use-search-text';
import {
  ContactPolicyAccess,
  CustomerAccess,
  CustomerExportAccess,
  ErasureAccess,
  ImportAccess,
} from '../gen/access';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { isForbidden } from '../http/errors';
import { AccessRestricted } from '../layout/access-restricted';
import { ButtonLink } from '../layout/links';
import { Page } from '../layout/page';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { TextField } from '../ui/field';
import { LongList } from '../ui/long-list';
import { RowsSkeleton } from '../ui/skeleton';
import { Empty } from '../ui/states';
import { Muted } from '../ui/text';
import { useShortcuts } from '../ui/use-shortcuts';
import { ContactPolicyField } from './contact-policy-field';
import { CustomerRow } from './customer-row';
import { isPhone } from './find';
import { OpenErasures } from './open-erasures';
import { customerPages } from './queries';

const CustomerDialog = fetchedAhead(() =>
  import('./customer-dialog').then(({ CustomerDialog }) => CustomerDialog),
);

const ExportDialog = fetchedAhead(() => import('./export-dialog').then(({ ExportDialog }) => ExportDialog));

const ROW_HEIGHT = 72;
/** Longer than any name. */
const LONGEST_QUERY = 100;

export function loader({ params: { businessId = '' }, request }: LoaderFunctionArgs) {
  const typed = new URL(request.url).searchParams.get('q') ?? '';
  return warm(() => [queries.prefetchInfiniteQuery(customerPages(businessId, typed))]);
}

/** All customers, and those that a search finds. */
export function Component() {
  const { businessId = '' } = useParams();
  const navigate = useNavigate();
  const here = useBusinessRole(businessId);
  const ownOnly = useSeesOwnContactsOnly(businessId);
  const { text, searched, setText } = useSearchText();
  const [adding, setAdding] = useState(false);
  const [exporting, setExporting] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const query = useInfiniteQuery({
    ...customerPages(businessId, searched),
    placeholderData: keepPreviousData,
  });
  const none = !searched && query.data?.pages[0]?.customers.length === 0;
  const mayAdd = here.kind === 'member' && may(CustomerAccess.createCustomer, here.role);
  const mayImport = mayAdd && may(ImportAccess.createImport, here.role);
  useShortcuts({
    '/': { what: 'Search customers', run: () => field.current?.focus() },
    n: mayAdd ? { what: 'New customer', run: () => setAdding(true) } : undefined,
  });
  if (isForbidden(query.error)) return <AccessRestricted signedIn />;

  const add = mayAdd && (
    <Flex gap="2" wrap="wrap" align="center">
      {mayImport && (
        <ButtonLink to={paths.customerImport(businessId)}>
          <Upload size={18} aria-hidden />
          Import
        </ButtonLink>
      )}
      {may(CustomerExportAccess.beginCustomerExport, here.role) && (
        <Button onClick={() => setExporting(true)} disabled={none}>
          <Download size={18} aria-hidden />
          Export
        </Button>
      )}
      <Button variant="contained" onClick={() => setAdding(true)}>
        <UserPlus size={20} aria-hidden />
        New customer
      </Button>
    </Flex>
  );
  return (
    <Page title="Customers" action={add}>
      <TextField
        ref={field}
        label="Search customers"
        type="search"
        placeholder="Name, phone or e-mail"
        hint={
          ownOnly
            ? 'Digits and e-mail addresses find customers with a visit of yours within 30 days.'
            : 'The last digits of a phone number are enough.'
        }
        autoComplete="off"
        maxLength={LONGEST_QUERY}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            rowsIn(list.current)[0]?.focus();
          }
        }}
      />
      <Surface overflow="hidden">
        <Box
          ref={list}
          aria-busy={query.isPlaceholderData}
          opacity={query.isPlaceholderData ? 0.6 : undefined}
          onKeyDown={(event) => moveFocus(event, list.current, field.current)}
        >
          <Reading
            query={query}
            what="The customers"
            missingIsPage
            skeleton={<RowsSkeleton rows={8} label="Loading customers" />}
          >
            {({ pages }) => (
              <Found
                businessId={businessId}
                ownOnly={ownOnly}
                customers={pages.flatMap(({ customers }) => customers)}
                searched={searched}
                more={query.hasNextPage}
                mayImport={mayImport}
                add={
                  mayAdd && (
                    <Button variant="tinted" onClick={() => setAdding(true)}>
                      <UserPlus size={20} aria-hidden />
                      {searched ? `New customer “${searched}”` : 'New customer'}
                    </Button>
                  )
                }
              />
            )}
          </Reading>
        </Box>
      </Surface>
      {query.hasNextPage && !query.isPlaceholderData && (
        <Button
          alignSelf="center"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more customers
        </Button>
      )}
      {!searched && here.kind === 'member' && may(ErasureAccess.listOpenErasures, here.role) && (
        <OpenErasures businessId={businessId} />
      )}
      {/* The contact setting applies to all customers, so a search hides it. */}
      {!searched && here.kind === 'member' && may(ContactPolicyAccess.updateContactPolicy, here.role) && (
        <ContactPolicyField businessId={businessId} />
      )}
      {exporting && <ExportDialog businessId={businessId} onClose={() => setExporting(false)} />}
      {adding && (
        <CustomerDialog
          businessId={businessId}
          before={isPhone(text) ? { phone: text.trim() } : { name: text.trim() }}
          onSaved={({ id }) => void navigate(paths.customer(businessId, id))}
          onClose={() => setAdding(false)}
        />
      )}
    </Page>
  );
}

type FoundProps = {
  businessId: string;
  ownOnly: boolean;
  customers: Customer[];
  searched: string;
  more: boolean;
  mayImport: boolean;
  add: ReactNode;
};

function Found({ businessId, ownOnly, customers, searched, more, mayImport, add }: FoundProps) {
  const count = customers.length;
  return (
    <>
      <Flex px={{ base: '4', sm: '6' }} pt={count > 0 ? '4' : '0'} pb={count > 0 ? '2' : '0'}>
        <Muted role="status" srOnly={count === 0}>
          {count === 0 ? 'No customers found' : countText(count, more, searched)}
        </Muted>
      </Flex>
      {count > 0 ? (
        <LongList items={customers} keyOf={({ id }) => id} rowHeight={ROW_HEIGHT}>
          {(customer) => <CustomerRow businessId={businessId} customer={customer} />}
        </LongList>
      ) : searched ? (
        <Empty icon={SearchX} title={`No customer matches “${searched}”`} action={add}>
          {ownOnly
            ? 'Check the spelling. Digits and e-mail addresses find only customers with a visit of yours within 30 days.'
            : 'Check the spelling, or search for the last digits of the phone number.'}
        </Empty>
      ) : (
        <Empty icon={UsersRound} title="No customers yet" action={add}>
          {mayImport
            ? 'Customers who book, by phone or at the desk, appear here. If you have a list, import it.'
            : 'Customers who book, by phone or at the desk, appear here.'}
        </Empty>
      )}
    </>
  );
}

function countText(count: number, more: boolean, searched: string): string {
  const customers = count === 1 ? 'customer' : 'customers';
  if (more) return `The first ${count} ${customers}${searched ? ' found' : ''}, by name`;
  return searched ? `${count} ${customers} found` : `${count} ${customers}, by name`;
}

const rowsIn = (list: HTMLElement | null) => Array.from(list?.querySelectorAll<HTMLElement>('li a') ?? []);

/** The arrows go from row to row, and up from the first one to the search. */
function moveFocus(event: KeyboardEvent, list: HTMLElement | null, field: HTMLElement | null) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const rows = rowsIn(list);
  const at = rows.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  event.preventDefault();
  const next = event.key === 'ArrowDown' ? rows[at + 1] : (rows[at - 1] ?? field);
  next?.focus();
}
