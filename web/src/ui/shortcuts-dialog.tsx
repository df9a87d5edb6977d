import { chakra, Flex, Grid } from '@chakra-ui/react';
import { Fragment } from 'react';
import { Button } from './button';
import { FormDialog } from './dialog';
import { shortcutsOnScreen } from './use-shortcuts';

const Key = chakra('kbd', {
  base: {
    minWidth: '8',
    px: '2',
    py: '0.5',
    textAlign: 'center',
    fontFamily: 'mono',
    fontSize: '0.875rem',
    bg: 'bg.sunken',
    border: '1px solid',
    borderColor: 'line.strong',
    borderRadius: '6px',
  },
});

/** The keys that work on this page. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog title="Keyboard shortcuts" onSubmit={onClose} onClose={onClose}>
      <Grid as="dl" gridTemplateColumns="auto minmax(0, 1fr)" columnGap="4" rowGap="2.5" alignItems="center">
        {byMeaning(shortcutsOnScreen()).map(([what, keys]) => (
          <chakra.div key={what} display="contents">
            <Flex as="dt" gap="1.5" align="center">
              {keys.map((key, index) => (
                <Fragment key={key}>
                  {index > 0 && 'or'}
                  <Key>{keyText(key)}</Key>
                </Fragment>
              ))}
            </Flex>
            <dd>{what}</dd>
          </chakra.div>
        ))}
      </Grid>
      <Flex justify="flex-end">
        <Button type="submit">Close</Button>
      </Flex>
    </FormDialog>
  );
}

/** What keys do, each once, with all the keys that do it. */
function byMeaning(shortcuts: readonly { key: string; what: string }[]): [string, string[]][] {
  const keys = new Map<string, string[]>();
  for (const { key, what } of shortcuts) keys.set(what, [...(keys.get(what) ?? []), key]);
  return [...keys];
}

/** As it is printed on a keyboard: "Ctrl+K", and "J" for "j". */
const keyText = (key: string) => key.replace(/[a-z]$/, (letter) => letter.toUpperCase());
