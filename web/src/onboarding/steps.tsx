import { Box, Flex, Stack } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { Text } from '../ui/text';

const STEPS = ['Sign in', 'Allow', 'Choose', 'Read'] as const;

/** A step's place in the flow, from 0. */
export type StepNumber = 0 | 1 | 2 | 3;

/** Where in the flow the person is. */
export function Steps({ at, done = false }: { at: StepNumber; done?: boolean }) {
  return (
    <Flex as="ol" listStyleType="none" gap="2" aria-label="Steps">
      {STEPS.map((name, step) => {
        const over = done || step < at;
        return (
          <Stack
            as="li"
            key={name}
            flex="1"
            gap="1.5"
            minWidth="0"
            aria-current={!done && step === at ? 'step' : undefined}
          >
            <Box height="1" borderRadius="full" bg={over || step === at ? 'brand.solid' : 'line.strong'} />
            <Flex align="center" gap="1" color={over ? 'brand.fg' : step === at ? 'fg' : 'fg.muted'}>
              {over && <Check size={14} aria-label="Done" />}
              <Text fontSize="0.8125rem" fontWeight={step === at ? '600' : '500'} lineHeight="1.25">
                {name}
              </Text>
            </Flex>
          </Stack>
        );
      })}
    </Flex>
  );
}
