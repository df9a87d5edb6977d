import { useQuery } from '@tanstack/react-query';
import { CustomerPicker } from '../customers/customer-picker';
import { customerQuery } from '../customers/queries';

type CustomerFilterProps = {
  businessId: string;
  customerId: string;
  onChange: (customerId: string) => void;
};

/** Whose calls are shown. */
export function CustomerFilter({ businessId, customerId, onChange }: CustomerFilterProps) {
  const chosen = useQuery({ ...customerQuery(businessId, customerId), enabled: customerId !== '' });
  const customer = customerId ? (chosen.data?.customer ?? null) : null;
  return (
    <CustomerPicker
      businessId={businessId}
      customer={customer}
      onChange={(picked) => onChange(picked?.id ?? '')}
    />
  );
}
