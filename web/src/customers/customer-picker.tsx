import { Flex, Stack } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { UserPlus, UserRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { NUMBER_HIDDEN } from '../business/contact-policy';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { messageOf } from '../http/errors';
import { Avatar } from '../ui/avatar';
import { Button } from '../ui/button';
import { Combobox, type Option } from '../ui/combobox';
import { phoneText } from '../ui/phone';
import { Muted, Text } from '../ui/text';
import { findCustomers, isPhone, isWholePhone, MOST_FOUND } from './find';
import { NewCustomer } from './new-customer';
import { PinnedNotes } from './pinned-notes';
import { customersByPhone, customersLike } from './queries';

type CustomerPickerProps = {
  businessId: string;
  customer: Customer | null;
  /** The hint for leaving the field empty, if that is allowed. */
  anonymous?: string;
  autoFocus?: boolean;
  /** What is searched for at first. */
  startText?: string;
  /** Of those there are, another than this one. */
  otherThan?: string;
  onChange: (customer: Customer | null) => void;
  /** Something was typed, or a new customer begun: no other one may take its place unasked. */
  onBegin?: () => void;
};

const NEW = 'new';
/** Longer than any name. */
const LONGEST_QUERY = 100;

/** Finds a customer by number or name, or adds one. */
export function CustomerPicker({
  businessId,
  customer,
  anonymous,
  autoFocus,
  startText = '',
  otherThan,
  onChange,
  onBegin,
}: CustomerPickerProps) {
  const [text, setText] = useState(startText);
  const [adding, setAdding] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const changing = useRef(autoFocus ?? false);
  const { found, note } = useFound(businessId, text, customer === null && !adding);

  // The field that comes back after "Change" is where one wants to type.
  useEffect(() => {
    if (customer === null && !adding && changing.current) field.current?.focus();
    changing.current = true;
  }, [customer, adding]);

  if (customer) return <Chosen businessId={businessId} customer={customer} onChange={() => onChange(null)} />;
  if (adding) {
    return (
      <NewCustomer
        businessId={businessId}
        name={isPhone(text) ? '' : text.trim()}
        phone={isPhone(text) ? text.trim() : ''}
        onBack={() => setAdding(false)}
        onAdded={(added) => {
          setAdding(false);
          setText('');
          onChange(added);
        }}
      />
    );
  }
  const options: Option[] = [
    ...found
      .filter(({ id }) => id !== otherThan)
      .map((person) => ({
        key: person.id,
        text: person.name,
        detail: numberOf(person),
        icon: <Avatar name={person.name} size="32px" />,
      })),
    ...(otherThan
      ? []
      : [
          {
            key: NEW,
            text: text.trim() ? `New customer “${text.trim()}”` : 'New customer',
            icon: <UserPlus size={20} aria-hidden />,
          },
        ]),
  ];
  return (
    <Combobox
      ref={field}
      label="Customer"
      placeholder="Name, phone or e-mail"
      hint={anonymous}
      text={text}
      options={options}
      {...(note ? { note } : {})}
      onText={(typed) => {
        setText(typed);
        onBegin?.();
      }}
      onPick={(key) => {
        const picked = found.find(({ id }) => id === key);
        if (key === NEW) {
          setAdding(true);
          onBegin?.();
        } else if (picked) onChange(picked);
      }}
    />
  );
}

type ChosenProps = { businessId: string; customer: Customer; onChange: () => void };

function Chosen({ businessId, customer, onChange }: ChosenProps) {
  const change = useRef<HTMLButtonElement>(null);
  // The field that had the focus is gone, and Tab goes on from here; another field keeps the focus.
  useEffect(() => {
    if (!document.activeElement?.matches('input, select, textarea')) change.current?.focus();
  }, []);
  return (
    <Stack gap="1.5">
      <Text fontSize="0.9375rem" fontWeight="550">
        Customer
      </Text>
      <Flex align="center" gap="3" px="3" py="1.5" bg="bg.sunken" borderRadius="button">
        {customer.name ? <Avatar name={customer.name} size="36px" /> : <UserRound size={24} aria-hidden />}
        <Stack gap="0" flex="1" minWidth="0">
          <Text fontWeight="600">{customer.name}</Text>
          <Muted>{numberOf(customer)}</Muted>
        </Stack>
        <Button
          ref={change}
          variant="quiet"
          aria-label={`Change customer, now ${customer.name}`}
          onClick={onChange}
        >
          Change
        </Button>
      </Flex>
      <PinnedNotes businessId={businessId} customerId={customer.id} />
    </Stack>
  );
}

function numberOf({ phone, contactHidden }: Customer): string {
  if (contactHidden) return NUMBER_HIDDEN;
  return phone ? phoneText(phone) : 'No number';
}

/** By a few letters or figures; a whole number also however it is written. */
function useFound(businessId: string, text: string, wanted: boolean) {
  const typed = text.trim();
  const like = useQuery({
    ...customersLike(businessId, typed.slice(0, LONGEST_QUERY), MOST_FOUND),
    enabled: wanted,
    placeholderData: keepPreviousData,
  });
  const byPhone = useQuery({
    ...customersByPhone(businessId, typed),
    enabled: wanted && isWholePhone(typed),
    retry: false,
  });
  const exact = isWholePhone(typed) ? (byPhone.data?.customers ?? []) : [];
  // The previous results stay while they still match, so that Enter can't pick a wrong customer.
  const others = findCustomers(like.data?.customers ?? [], typed).filter(
    ({ id }) => !exact.some((person) => person.id === id),
  );
  const found = [...exact, ...others].slice(0, MOST_FOUND);
  return { found, note: noteOf(found.length, typed, like.isFetching || byPhone.isFetching, like.error) };
}

function noteOf(found: number, typed: string, looking: boolean, error: unknown): string | undefined {
  if (error) return `The customers can’t be shown. ${messageOf(error)}`;
  if (looking && found === 0) return 'Looking…';
  if (found === 0 && typed) return `No customer matches “${typed}”.`;
  return undefined;
}
