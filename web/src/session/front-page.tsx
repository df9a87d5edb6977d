import { Box, Flex, Stack } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { paths } from '../paths';
import { TextLink } from '../shell/links';
import { Surface } from '../ui/card';
import { Logo } from '../ui/logo';
import { H1, Muted } from '../ui/text';

type FrontPageProps = { title: string; lead?: ReactNode; children: ReactNode };

/** The frame of pages outside the workplace: one card, nothing to get lost in. */
export function FrontPage({ title, lead, children }: FrontPageProps) {
  const main = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Another title is another page, although its frame stays.
    if (title) goOn(main.current);
  }, [title]);
  return (
    <Flex
      ref={main}
      as="main"
      tabIndex={-1}
      outline="none"
      direction="column"
      align="center"
      minHeight="100dvh"
      px="4"
      py={{ base: '8', sm: '16' }}
      gap="8"
      backgroundImage="radial-gradient(56rem 28rem at 50% -8rem, {colors.brand.subtle}, transparent)"
      backgroundRepeat="no-repeat"
    >
      <title>{`${title} · Frontdesk`}</title>
      <Logo />
      <Surface width="100%" maxWidth="27rem" p={{ base: '5', sm: '8' }}>
        <Stack gap="6">
          <Stack gap="1.5">
            <H1>{title}</H1>
            {lead && <Muted>{lead}</Muted>}
          </Stack>
          {children}
        </Stack>
      </Surface>
      <Box flex="1" />
      <TextLink to={paths.privacy} fontSize="0.875rem">
        Privacy
      </TextLink>
    </Flex>
  );
}

/** Puts the focus where a person goes on: into the first field that is empty, else at the page's beginning. */
function goOn(page: HTMLElement | null): void {
  const fields = [...(page?.querySelectorAll<HTMLInputElement>('input:not([readonly])') ?? [])];
  const next = fields.find(({ value }) => value === '') ?? fields[0] ?? page;
  next?.focus({ preventScroll: true });
}

/** Where else one may go from here: other ways in, the way back. */
export function WaysOn({ children }: { children: ReactNode }) {
  return (
    <Flex gap="2" columnGap="6" wrap="wrap" justify="space-between" fontSize="0.9375rem">
      {children}
    </Flex>
  );
}
