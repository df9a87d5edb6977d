import { chakra } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { MenuItem } from '../ui/menu';

export type AbsentItemProps = {
  /** The names of employees who don't work that day and whose columns the screen leaves out; empty where it shows all. */
  absent: readonly string[];
  absentShown: boolean;
  onAbsent: (shown: boolean) => void;
};

/** Shows the columns of employees who don't work, or leaves them out again. */
export function AbsentItem({ absent, absentShown, onAbsent }: AbsentItemProps) {
  if (absent.length === 0) return null;
  return (
    <MenuItem value="absent" onPick={() => onAbsent(!absentShown)}>
      <chakra.span width="18px" flexShrink="0" aria-hidden>
        {absentShown && <Check size={18} />}
      </chakra.span>
      {absentShown ? 'Hide who is not working' : `Show not working: ${absent.join(', ')}`}
    </MenuItem>
  );
}
