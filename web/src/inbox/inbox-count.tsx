import { chakra } from '@chakra-ui/react';
import { useBusinessRole } from '../business/queries';
import type { CountPlace } from '../layout/destinations';
import { ScreenReaderOnly } from '../ui/text';
import { useInbox } from './use-inbox';

const MOST_SHOWN = 99;

type InboxCountProps = {
  businessId: string;
  at: CountPlace;
};

const CORNER = { position: 'absolute', top: '1', insetInlineStart: 'calc(50% + 4px)' } as const;

/** The number of open rows of the inbox; renders nothing at zero, nor before all of it was read. */
export function InboxCount({ businessId, at }: InboxCountProps) {
  const role = useBusinessRole(businessId);
  const { count, read, isLeast } = useInbox(businessId, role.kind === 'member' ? role.role : '');
  if (count === 0 || !read) return null;
  return (
    <chakra.span
      {...(at === 'corner' ? CORNER : { marginInlineStart: 'auto' })}
      minWidth="22px"
      px="1.5"
      borderRadius="full"
      bg="warn.subtle"
      color="warn.fg"
      fontSize="0.8125rem"
      fontWeight="650"
      lineHeight="22px"
      textAlign="center"
    >
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : `${count}${isLeast ? '+' : ''}`}
      <ScreenReaderOnly> to settle</ScreenReaderOnly>
    </chakra.span>
  );
}
