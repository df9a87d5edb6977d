import { Box, chakra, Flex } from '@chakra-ui/react';
import { Check, Circle, CircleDashed } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { paths } from '../paths';
import { Surface } from '../ui/card';
import { ScreenReaderOnly } from '../ui/text';
import { isDone, type SetupFacts, STEP_NAMES, STEPS, type Step } from './steps';

/** Enough of the step before to see that there is one. */
const PEEK = 48;

type StepListProps = { businessId: string; facts: SetupFacts; current: Step | undefined };

const StepLink = chakra(Link, {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    minHeight: '11',
    px: '3',
    borderRadius: 'button',
    color: 'fg',
    textDecoration: 'none',
    whiteSpace: 'nowrap',
    _hover: { bg: 'bg.hover' },
    _currentStep: { bg: 'brand.subtle', color: 'brand.fg', fontWeight: '650' },
  },
});

/** A step's name, with whether it is done: undefined while that is not known. */
function StepName({ step, done }: { step: Step; done: boolean | undefined }) {
  const Icon = done === undefined ? CircleDashed : done ? Check : Circle;
  return (
    <>
      <Box color={done ? 'good.fg' : 'fg.muted'} flexShrink="0">
        <Icon size={18} aria-hidden />
      </Box>
      {STEP_NAMES[step]}
      {done && <ScreenReaderOnly>, done</ScreenReaderOnly>}
      {done === undefined && <ScreenReaderOnly>, not known yet</ScreenReaderOnly>}
    </>
  );
}

/** The steps, which of them are done, and the way to each. Before the business exists there is only the first. */
export function StepList({ businessId, facts, current }: StepListProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const step = row.current?.querySelector<HTMLElement>('[aria-current]');
    if (row.current && step && current) row.current.scrollLeft = step.offsetLeft - PEEK;
  }, [current]);
  return (
    <Surface as="nav" aria-label="Steps" p="2">
      <Flex
        ref={row}
        as="ol"
        listStyleType="none"
        direction={{ base: 'row', lg: 'column' }}
        wrap={{ base: 'nowrap', sm: 'wrap', lg: 'nowrap' }}
        gap="1"
        overflowX={{ base: 'auto', sm: 'visible' }}
        // Screen-reader text scrolls with the row and does not widen the page.
        position="relative"
        className="sideways"
        // On a phone it scrolls, before any of its steps is a link.
        tabIndex={businessId === '' ? 0 : undefined}
      >
        {STEPS.map((step) => {
          const inner = <StepName step={step} done={businessId !== '' && isDone(step, facts)} />;
          return (
            // Between a phone and a wide screen there are two rows of three.
            <chakra.li key={step} flex={{ sm: '1 0 30%', lg: 'none' }}>
              {businessId ? (
                <StepLink
                  to={paths.adminCreateBusiness(businessId, step)}
                  aria-current={step === current ? 'step' : undefined}
                >
                  {inner}
                </StepLink>
              ) : (
                <Flex
                  align="center"
                  gap="3"
                  minHeight="11"
                  px="3"
                  whiteSpace="nowrap"
                  color={step === current ? 'brand.fg' : 'fg.muted'}
                  fontWeight={step === current ? '650' : undefined}
                  aria-current={step === current ? 'step' : undefined}
                >
                  {inner}
                </Flex>
              )}
            </chakra.li>
          );
        })}
      </Flex>
    </Surface>
  );
}
