import { chakra } from '@chakra-ui/react';
import { Search } from 'lucide-react';
import { Button } from '../ui/button';

/** Opens the search of the business, as Ctrl+K does. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      aria-label="Search"
      aria-keyshortcuts="Control+k"
      title="Search (Ctrl+K)"
      variant="quiet"
      px={{ base: '2.5', lg: '4' }}
      onClick={onClick}
    >
      <Search size={18} aria-hidden />
      <chakra.span hideBelow="lg">Search</chakra.span>
    </Button>
  );
}
