import { chakra } from '@chakra-ui/react';
import { linkRecipe } from './link-style';

const Link = chakra('a', linkRecipe);

/** An address that a mail program writes to when it is pressed. */
export function MailLink({ email }: { email: string }) {
  return <Link href={`mailto:${encodeURIComponent(email)}`}>{email}</Link>;
}
