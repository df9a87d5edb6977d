import { Box, Flex, Stack } from '@chakra-ui/react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { paths } from '../paths';
import { Surface } from '../ui/card';
import { Logo } from '../ui/logo';
import { longHeading } from '../ui/long-heading';
import { H1, Muted } from '../ui/text';
import { TextLink } from './links';

type CardPageProps = {
  title: string;
  lead?: ReactNode;
  /** More to read than to fill in. */
  wide?: boolean;
  children: ReactNode;
};

/** The frame of pages outside the workplace: a single card. */
export function CardPage({ title, lead, wide = false, children }: CardPageProps) {
  const main = useRef<HTMLDivElement>(null);
  // What led to the privacy page leads on from it.
  const onPrivacy = useLocation().pathname === paths.privacy;
  useEffect(() => {
    // A new title means a new page, although the frame stays mounted.
    if (title) focusFirst(main.current);
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
      <Surface width="100%" maxWidth={wide ? '44rem' : '27rem'} p={{ base: '5', sm: '8' }}>
        <Stack gap="6">
          <Stack gap="1.5">
            <H1 {...longHeading(title)}>{title}</H1>
            {lead && <Muted>{lead}</Muted>}
          </Stack>
          {children}
        </Stack>
      </Surface>
      <Box flex="1" />
      <TextLink to={onPrivacy ? paths.root : paths.privacy} fontSize="0.875rem">
        {onPrivacy ? 'Go to Frontdesk' : 'Privacy'}
      </TextLink>
    </Flex>
  );
}

/** Moves the focus to the first empty field, else to the page's beginning. */
function focusFirst(page: HTMLElement | null): void {
  const fields = [...(page?.querySelectorAll<HTMLInputElement>('input:not([readonly])') ?? [])];
  const next = fields.find(({ value }) => value === '') ?? fields[0] ?? page;
  next?.focus({ preventScroll: true });
}

/** Links from a page to other ways to sign in, or back. */
export function PageLinks({ children }: { children: ReactNode }) {
  return (
    <Flex gap="2" columnGap="6" wrap="wrap" justify="space-between" fontSize="0.9375rem">
      {children}
    </Flex>
  );
}
