import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { useAction } from '../api/action';
import { methodKey } from '../api/query';
import { type Customer, CustomerService } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { fieldErrorsOf, messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { TextField } from '../ui/field';
import { Refusal } from '../ui/states';
import { Text } from '../ui/text';

type NewCustomerProps = {
  businessId: string;
  name: string;
  phone: string;
  onAdded: (customer: Customer) => void;
  onBack: () => void;
};

/** Adds a new customer without leaving the booking. */
export function NewCustomer({ businessId, onAdded, onBack, ...before }: NewCustomerProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(before.name);
  const [phone, setPhone] = useState(before.phone);
  const [email, setEmail] = useState('');
  const [missing, setMissing] = useState(false);
  const { act, running, error } = useAction(CustomerService.method.createCustomer, {
    onDone: ({ customer }) => {
      void queries.invalidateQueries({ queryKey: [methodKey(CustomerService.method.listCustomers)] });
      if (customer) onAdded(customer);
    },
  });
  const wrong = fieldErrorsOf(error);
  const add = () => {
    setMissing(name.trim() === '');
    if (name.trim() !== '') act({ businessId, name: name.trim(), phone: phone.trim(), email: email.trim() });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // It stands within a larger form: Enter adds the customer, Escape goes back to looking.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault();
      add();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onBack();
    }
  };
  return (
    <Stack
      as="fieldset"
      gap="3"
      p="4"
      border="1px solid"
      borderColor="line"
      borderRadius="button"
      aria-label="New customer"
      onKeyDown={onKeyDown}
    >
      <Text fontWeight="600">New customer</Text>
      <TextField
        label="Name"
        autoFocus={before.name === ''}
        autoComplete="off"
        maxLength={200}
        error={missing ? 'Enter a name.' : wrong.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TextField
        label="Phone (optional)"
        type="tel"
        autoFocus={before.name !== ''}
        autoComplete="off"
        error={wrong.phone}
        value={phone}
        onChange={(event) => setPhone(event.currentTarget.value)}
      />
      <TextField
        label="E-mail (optional)"
        type="email"
        autoComplete="off"
        error={wrong.email}
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      {error && Object.keys(wrong).length === 0 && (
        <Refusal>{messageOf(error, 'The customer could not be added.')}</Refusal>
      )}
      <Flex gap="2" justify="flex-end">
        <Button disabled={running} onClick={onBack}>
          Back
        </Button>
        <Button loading={running} onClick={add} borderColor="brand.fg" color="brand.fg">
          Add customer
        </Button>
      </Flex>
    </Stack>
  );
}
