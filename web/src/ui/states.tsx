import { Box, chakra, Flex, Stack } from '@chakra-ui/react';
import { CircleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button';
import { H1, Muted, Text } from './text';

const Emblem = chakra('span', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    width: '12',
    height: '12',
    borderRadius: 'full',
  },
});

type EmptyProps = { icon: LucideIcon; title: string; children?: ReactNode; action?: ReactNode };

/** Nothing is here, why, and what would change that. */
export function Empty({ icon: Icon, title, children, action }: EmptyProps) {
  return (
    <Flex direction="column" align="center" textAlign="center" gap="3" px="6" py="8">
      <Emblem bg="brand.subtle" color="brand.fg">
        <Icon size={22} aria-hidden />
      </Emblem>
      <Stack gap="1" maxWidth="26rem">
        <Text fontWeight="600">{title}</Text>
        {children && <Muted textWrap="balance">{children}</Muted>}
      </Stack>
      {action}
    </Flex>
  );
}

type FailedProps = {
  title: string;
  message: string;
  onRetry?: () => void;
  retrying?: boolean;
  /** Nothing else is on the page: it is what the page is called. */
  page?: boolean;
};

/** Something could not be shown; trying again is one press away. */
export function Failed({ title, message, onRetry, retrying = false, page }: FailedProps) {
  return (
    <Flex role="alert" direction="column" align="center" textAlign="center" gap="3" px="6" py="8">
      <Emblem bg="bad.subtle" color="bad.fg">
        <CircleAlert size={22} aria-hidden />
      </Emblem>
      <Stack gap="1" maxWidth="28rem">
        {page ? <H1>{title}</H1> : <Text fontWeight="600">{title}</Text>}
        <Muted textWrap="balance">{message}</Muted>
      </Stack>
      {onRetry && (
        <Button onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      )}
    </Flex>
  );
}

const NOTE_TONES = {
  good: ['good.subtle', 'good.fg'],
  warn: ['warn.subtle', 'warn.fg'],
  bad: ['bad.subtle', 'bad.fg'],
  info: ['info.subtle', 'info.fg'],
};

type NoteProps = {
  tone: keyof typeof NOTE_TONES;
  icon: LucideIcon;
  /** `alert` is read out as it comes. */
  role?: 'alert';
  /** What can be done about it. */
  action?: ReactNode;
  children: ReactNode;
};

/** A line that needs noticing, in place. */
export function Note({ tone, icon: Icon, role, action, children }: NoteProps) {
  const [bg, color] = NOTE_TONES[tone];
  return (
    <Flex
      role={role}
      gap="3"
      px="4"
      py={action ? '4' : '3'}
      borderRadius="button"
      bg={bg}
      color={color}
      fontSize="0.9375rem"
      align="flex-start"
      wrap={action ? 'wrap' : undefined}
    >
      <Box pt="0.5" flexShrink="0">
        <Icon size={18} aria-hidden />
      </Box>
      <Box minWidth="0" flex={action ? '1 1 14rem' : undefined}>
        {children}
      </Box>
      {action && (
        <Box alignSelf="center" my={{ sm: '-2.5' }}>
          {action}
        </Box>
      )}
    </Flex>
  );
}

/** Why something did not go, where it was tried, and read out: a toast may stand behind what is in front. */
export function Refusal({ children }: { children: string | null | undefined }) {
  if (!children) return null;
  return (
    <Note tone="bad" icon={CircleAlert} role="alert">
      {children}
    </Note>
  );
}
