import { chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { H2 } from '../ui/text';
import type { CacheStatus } from './cache-watch';

type PanelProps = {
  title: string;
  badge: ReactNode;
  children: ReactNode;
  foot: ReactNode;
  onClose: () => void;
};

/** A floating panel for developers, over the page and beside its work. */
export function Panel({ title, badge, children, foot, onClose }: PanelProps) {
  const id = useId();
  return (
    <chakra.section
      aria-labelledby={id}
      position="fixed"
      right={{ base: '2', sm: '4' }}
      bottom={{ base: '2', sm: '4' }}
      zIndex="bar"
      width="min(27rem, calc(100vw - 16px))"
      maxHeight="min(46rem, calc(100dvh - 84px))"
      display="flex"
      flexDirection="column"
      bg="bg.card"
      border="1px solid"
      borderColor="line.strong"
      borderRadius="card"
      boxShadow="float"
      fontSize="0.875rem"
      animation="arrive 0.16s ease-out"
    >
      <Flex align="center" gap="3" px="4" py="2" borderBottom="1px solid" borderColor="line">
        <H2 id={id} flex="1">
          {title}
        </H2>
        {badge}
        <chakra.button
          type="button"
          aria-label={`Close ${title.toLowerCase()}`}
          onClick={onClose}
          display="grid"
          placeItems="center"
          width="9"
          height="9"
          borderRadius="button"
          color="fg.muted"
          cursor="pointer"
          _hover={{ bg: 'bg.hover' }}
        >
          <X size={18} aria-hidden />
        </chakra.button>
      </Flex>
      {/* Scrolled with the keyboard as well. */}
      <Stack
        gap="5"
        px="4"
        py="4"
        overflowY="auto"
        overscrollBehavior="contain"
        tabIndex={0}
        role="region"
        aria-label={`${title} contents`}
      >
        {children}
      </Stack>
      <Stack
        gap="2"
        px="4"
        py="3"
        borderTop="1px solid"
        borderColor="line"
        bg="bg.sunken"
        borderBottomRadius="card"
      >
        {foot}
      </Stack>
    </chakra.section>
  );
}

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack as="section" gap="2">
      <chakra.h3 fontSize="0.8125rem" fontWeight="650" color="fg.muted">
        {title}
      </chakra.h3>
      {children}
    </Stack>
  );
}

/** Names and values in two columns. */
export function Lines({ children }: { children: ReactNode }) {
  return (
    <Grid as="dl" gridTemplateColumns="minmax(7rem, auto) 1fr" columnGap="4" rowGap="1">
      {children}
    </Grid>
  );
}

export function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <chakra.dt color="fg.muted">{name}</chakra.dt>
      <chakra.dd overflowWrap="anywhere" fontVariantNumeric="tabular-nums">
        {children}
      </chakra.dd>
    </>
  );
}

/** The outcome of the last action. Its space stays reserved, so that the layout does not jump. */
export function StatusLine({ status }: { status: CacheStatus | null }) {
  return (
    <chakra.p
      role="status"
      minHeight="1.5em"
      fontWeight="550"
      color={status?.tone === 'bad' ? 'bad.fg' : 'good.fg'}
      overflowWrap="anywhere"
    >
      {status?.text}
    </chakra.p>
  );
}

/** The panel has several buttons, and none of them is needed to use the product: they are small. */
export const SMALL_BUTTON = { minHeight: '9', px: '3', fontSize: '0.875rem' } as const;
