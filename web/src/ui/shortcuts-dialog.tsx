import { chakra, Flex, Grid } from '@chakra-ui/react';
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
        {shortcutsOnScreen().map(({ key, what }) => (
          <chakra.div key={key} display="contents">
            <Flex as="dt" justify="center">
              <Key>{key}</Key>
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
