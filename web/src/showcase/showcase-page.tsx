import { Box, Flex, Stack } from '@chakra-ui/react';
import { useSyncExternalStore } from 'react';
import { type ColourMode, colourMode, onColourMode, setColourMode } from '../ui/colour-mode';
import { Logo } from '../ui/logo';
import { SelectField } from '../ui/select-field';
import { H1, H2, Muted } from '../ui/text';
import { Controls } from './controls';
import { Feedback } from './feedback';
import { Records } from './records';

const PARTS = [
  { title: 'Controls', Part: Controls },
  { title: 'Feedback', Part: Feedback },
  { title: 'Records', Part: Records },
];

/** Every component of `ui/`, alive: what is seen here is what the screens use. */
export function Component() {
  const mode = useSyncExternalStore(onColourMode, colourMode);
  return (
    <Box as="main" maxWidth="64rem" mx="auto" px={{ base: '4', md: '8' }} py={{ base: '6', md: '10' }}>
      <title>Components · Frontdesk</title>
      <Stack gap="8">
        <Logo />
        <Flex justify="space-between" align="flex-end" gap="4" wrap="wrap">
          <Stack gap="1.5">
            <H1>Components</H1>
            <Muted>What Frontdesk’s screens are made of, in their states.</Muted>
          </Stack>
          <Box width="14rem">
            <SelectField
              label="Colours"
              value={mode}
              onChange={(event) => setColourMode(event.target.value as ColourMode)}
            >
              <option value="light">Light</option>
              <option value="dark">Dark</option>
              <option value="system">As the system</option>
            </SelectField>
          </Box>
        </Flex>
        {PARTS.map(({ title, Part }) => (
          <Stack as="section" key={title} gap="2" aria-label={title}>
            <H2>{title}</H2>
            <Box as="ul" listStyleType="none">
              <Part />
            </Box>
          </Stack>
        ))}
      </Stack>
    </Box>
  );
}
