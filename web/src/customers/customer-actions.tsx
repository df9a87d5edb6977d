import { Flex } from '@chakra-ui/react';
import { Download, type LucideIcon, Merge, MoreHorizontal, Pencil, ScrollText, UserX } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { may } from '../api/access';
import { fetchedAhead } from '../api/fetched-ahead';
import { useBusinessRole } from '../business/queries';
import {
  AuditAccess,
  CustomerAccess,
  CustomerExportAccess,
  CustomerMergeAccess,
  ErasureAccess,
} from '../gen/access';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Menu, MenuItem } from '../ui/menu';
import { useWide } from '../ui/use-width';

const CustomerDialog = fetchedAhead(() =>
  import('./customer-dialog').then(({ CustomerDialog }) => CustomerDialog),
);

const EraseDialog = fetchedAhead(() => import('./erase-dialog').then(({ EraseDialog }) => EraseDialog));

const ExportDialog = fetchedAhead(() => import('./export-dialog').then(({ ExportDialog }) => ExportDialog));

const MergeDialog = fetchedAhead(() => import('./merge-dialog').then(({ MergeDialog }) => MergeDialog));

type Open = 'edit' | 'merge' | 'export' | 'erase';
type Rare = { kind: Open; name: string; icon: LucideIcon; allowed: boolean };

type CustomerActionsProps = { businessId: string; customer: Customer };

/** What can be done with a customer as a whole; a phone has what is rarely needed in a menu. */
export function CustomerActions({ businessId, customer }: CustomerActionsProps) {
  const here = useBusinessRole(businessId);
  const wide = useWide();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open | null>(null);
  if (here.kind !== 'member' || !may(CustomerAccess.updateCustomer, here.role)) return null;
  const mayMerge = may(CustomerMergeAccess.mergeCustomers, here.role);
  const all: Rare[] = [
    { kind: 'merge', name: 'Merge', icon: Merge, allowed: mayMerge },
    {
      kind: 'export',
      name: 'Export',
      icon: Download,
      allowed: may(CustomerExportAccess.beginCustomerExport, here.role),
    },
    { kind: 'erase', name: 'Erase', icon: UserX, allowed: may(ErasureAccess.eraseCustomer, here.role) },
  ];
  const rare = all.filter(({ allowed }) => allowed);
  const mayAudit = may(AuditAccess.listAuditEntries, here.role);
  const changes = paths.audit(businessId, customer.id);
  const close = () => setOpen(null);
  const given = { businessId, customer, onClose: close };
  return (
    <>
      <Flex gap={{ base: '2', sm: '3' }} wrap="wrap">
        <Button onClick={() => setOpen('edit')}>
          <Pencil size={18} aria-hidden />
          Edit customer
        </Button>
        {wide &&
          rare.map(({ kind, name, icon: Icon }) => (
            <Button key={kind} onClick={() => setOpen(kind)}>
              <Icon size={18} aria-hidden />
              {name}
            </Button>
          ))}
        {wide && mayAudit && (
          <ButtonLink to={changes}>
            <ScrollText size={18} aria-hidden />
            Changes
          </ButtonLink>
        )}
        {!wide && rare.length > 0 && (
          <Menu
            label="More for this customer"
            align="end"
            triggerProps={{
              border: '1px solid',
              borderColor: 'line.strong',
              bg: 'bg.card',
              justifyContent: 'center',
            }}
            trigger={<MoreHorizontal size={22} aria-hidden />}
          >
            {rare.map(({ kind, name, icon: Icon }) => (
              <MenuItem key={kind} value={kind} onPick={() => setOpen(kind)}>
                <Icon size={18} aria-hidden />
                {name}…
              </MenuItem>
            ))}
            {mayAudit && (
              <MenuItem value="changes" onPick={() => void navigate(changes)}>
                <ScrollText size={18} aria-hidden />
                Changes
              </MenuItem>
            )}
          </Menu>
        )}
      </Flex>
      {open === 'edit' && <CustomerDialog {...given} />}
      {open === 'merge' && (
        <MergeDialog {...given} onMerged={(id) => void navigate(paths.customer(businessId, id))} />
      )}
      {open === 'export' && <ExportDialog {...given} />}
      {open === 'erase' && <EraseDialog {...given} />}
    </>
  );
}
