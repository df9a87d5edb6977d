import { Flex } from '@chakra-ui/react';
import { Heart, Lock, LockOpen } from 'lucide-react';
import { isLocked, wishText } from '../day/wishes';
import { EmployeeWish, type PlacedItem } from '../gen/frontdesk/scheduling/v1/availability_pb';
import { Muted } from '../ui/text';

/** Whom the customer asked for; nothing without a wish. */
export function StylistWish({ item }: { item: PlacedItem }) {
  const text = wishText(item);
  if (!text) return null;
  const Icon = item.employeeWish === EmployeeWish.PREFERS ? Heart : isLocked(item) ? Lock : LockOpen;
  return (
    <Flex gap="1.5" align="center" color="fg.muted">
      <Icon size={14} aria-hidden />
      <Muted as="span">Stylist: {text}</Muted>
    </Flex>
  );
}
