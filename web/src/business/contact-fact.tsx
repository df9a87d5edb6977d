import { PhoneLink } from '../ui/phone-link';
import { Muted } from '../ui/text';
import { CONTACT_HIDDEN } from './contact-policy';

type PhoneOfProps = { phone: string; hidden: boolean; none?: string; why?: string };

/** A customer's number to call, or the true reason why there is none to see. */
export function PhoneOf({ phone, hidden, none = 'None', why = CONTACT_HIDDEN }: PhoneOfProps) {
  if (hidden) return <Muted as="span">{why}</Muted>;
  return phone ? <PhoneLink phone={phone} /> : none;
}
