import { chakra } from '@chakra-ui/react';
import { Database, KeyRound } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';

const PANELS = [
  { name: 'auth', label: 'Auth panel', icon: KeyRound, Panel: lazy(() => import('./auth-panel')) },
  { name: 'cache', label: 'Cache panel', icon: Database, Panel: lazy(() => import('./cache-panel')) },
] as const;

/** Two tabs at the edge of the page, one panel at a time. */
export default function Launcher() {
  const [open, setOpen] = useState<string | null>(null);
  const shown = PANELS.find(({ name }) => name === open);
  return (
    <>
      <chakra.aside
        aria-label="Development panels"
        position="fixed"
        right="0"
        top="50%"
        zIndex="bar"
        display="flex"
        flexDirection="column"
        bg="bg.card"
        border="1px solid"
        borderColor="line.strong"
        borderRight="0"
        borderLeftRadius="button"
        boxShadow="card"
        overflow="hidden"
      >
        {PANELS.map(({ name, label, icon: Icon }) => (
          <chakra.button
            key={name}
            type="button"
            aria-label={label}
            title={label}
            aria-expanded={open === name}
            onClick={() => setOpen(open === name ? null : name)}
            display="grid"
            placeItems="center"
            width="7"
            height="9"
            color="fg.muted"
            cursor="pointer"
            _hover={{ bg: 'bg.hover' }}
            _expanded={{ bg: 'brand.subtle', color: 'brand.fg', _hover: { bg: 'brand.hover' } }}
          >
            <Icon size={16} aria-hidden />
          </chakra.button>
        ))}
      </chakra.aside>
      {shown && (
        <Suspense fallback={null}>
          <shown.Panel onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}
