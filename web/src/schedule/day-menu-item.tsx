import { chakra } from '@chakra-ui/react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { MenuItem } from '../ui/menu';

type DayMenuItemProps = {
  icon: LucideIcon;
  /** The key that does the same, as "y" or "Ctrl+p". */
  letter: string;
  text: string;
  /** What stands after it, before the letter. */
  aside?: ReactNode;
  onPick: () => void;
};

/** Something that can be done with a day, and the key that does it. */
export function DayMenuItem({ icon: Icon, letter, text, aside, onPick }: DayMenuItemProps) {
  return (
    <MenuItem value={letter} aria-keyshortcuts={letter.replace('Ctrl', 'Control')} onPick={onPick}>
      <Icon size={18} aria-hidden />
      {text}
      {aside}
      <chakra.kbd
        ms="auto"
        display={{ base: 'none', sm: 'inline' }}
        color="fg.muted"
        fontFamily="mono"
        fontSize="0.8125rem"
        aria-hidden
      >
        {letter}
      </chakra.kbd>
    </MenuItem>
  );
}
