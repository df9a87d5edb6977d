import { chakra } from '@chakra-ui/react';
import { linkRecipe } from './link-style';
import { phoneText } from './phone';

const Link = chakra('a', linkRecipe);

/** A number that rings when it is pressed. */
export function PhoneLink({ phone }: { phone: string }) {
  return <Link href={`tel:${phone}`}>{phoneText(phone)}</Link>;
}
