import { Flex, Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { longHeading } from '../ui/long-heading';
import { H1, Muted } from '../ui/text';

type PageProps = {
  title: string;
  /** The tab's title, where it says more than the heading. */
  tab?: string;
  lead?: ReactNode;
  action?: ReactNode;
  /** Heading and lead are said, not shown: the content needs the room. */
  slim?: boolean;
  children: ReactNode;
};

/** A page of the workplace: heading, what can be done with all of it, content. */
export function Page({ title, tab, lead, action, slim = false, children }: PageProps) {
  return (
    <Stack gap={slim ? '3' : { base: '5', md: '6' }} mt={slim ? '-3' : undefined}>
      <title>{`${tab ?? title} · Frontdesk`}</title>
      <Flex justify="space-between" align="flex-start" gap="4" wrap="wrap">
        <Stack gap="1.5" flex="1 1 12rem" minWidth="0" srOnly={slim}>
          <H1 {...longHeading(title)}>{title}</H1>
          {lead && (
            <Muted as="div" textWrap="pretty">
              {lead}
            </Muted>
          )}
        </Stack>
        {action}
      </Flex>
      {children}
    </Stack>
  );
}
