import { Box, chakra, Flex, Grid, Stack } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, Pause, Play, RotateCcw } from 'lucide-react';
import { useEffect } from 'react';
import { ButtonLink, TextLink } from '../layout/links';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Surface } from '../ui/card';
import { Logo } from '../ui/logo';
import { Figures, H1, H2, Muted } from '../ui/text';
import { DemoDay } from './demo-day';
import { DemoTranscript } from './demo-transcript';
import { markAfter, SCRIPT } from './script';
import { useWalk } from './use-walk';

/** A sample call that becomes a booking, step by step: what is said, what is looked up, and the day. */
export function Component() {
  const walk = useWalk();
  const { shown, step } = walk;
  useArrows(step);
  return (
    <Box as="main" minHeight="100dvh" bg="bg" px={{ base: '4', md: '8' }} py={{ base: '6', md: '8' }}>
      <title>See a call become a booking · Frontdesk</title>
      <Stack gap="6" maxWidth="76rem" mx="auto">
        <Flex justify="space-between" align="center" gap="4" wrap="wrap">
          <Logo />
          <ButtonLink to={paths.login}>Sign in</ButtonLink>
        </Flex>
        <Stack gap="2" maxWidth="44rem">
          <H1>See a call become a booking</H1>
          <Muted fontSize="1rem">
            A customer calls a salon. The agent answers, looks into the book while they speak, and books the
            visit. This is a sample call at an invented salon.
          </Muted>
        </Stack>
        <Controls {...walk} />
        <Grid
          gap="6"
          alignItems="start"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }}
        >
          <Surface as="section" aria-labelledby="demo-call" p={{ base: '4', sm: '6' }}>
            <Stack gap="4">
              <H2 id="demo-call">The call</H2>
              <DemoTranscript steps={SCRIPT.slice(0, shown)} />
            </Stack>
          </Surface>
          <Surface
            as="section"
            aria-labelledby="demo-day"
            p={{ base: '4', sm: '6' }}
            position={{ lg: 'sticky' }}
            top={{ lg: '6' }}
          >
            <Stack gap="4">
              <H2 id="demo-day">The salon’s day</H2>
              <DemoDay mark={markAfter(shown)} />
            </Stack>
          </Surface>
        </Grid>
        <Flex gap="6" wrap="wrap" fontSize="0.9375rem">
          <TextLink to={paths.register}>Create an account</TextLink>
          <TextLink to={paths.privacy}>Privacy</TextLink>
        </Flex>
      </Stack>
    </Box>
  );
}

/** Arrows go through the call from anywhere on the page. */
function useArrows(step: (by: number) => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      if (event.key === 'ArrowRight') step(1);
      else if (event.key === 'ArrowLeft') step(-1);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [step]);
}

function Controls({ shown, over, playing, play, pause, step }: ReturnType<typeof useWalk>) {
  const main = playing
    ? ([Pause, 'Pause', pause] as const)
    : over
      ? ([RotateCcw, 'Play again', play] as const)
      : ([Play, 'Play', play] as const);
  const [Icon, text, run] = main;
  return (
    <Flex align="center" gap="3" wrap="wrap" role="group" aria-label="The walk through the call">
      <Button variant="contained" onClick={run} minWidth="9.5rem">
        <Icon size={20} aria-hidden />
        {text}
      </Button>
      <Button onClick={() => step(-1)} disabled={shown <= 1} minHeight="12">
        <ChevronLeft size={18} aria-hidden />
        Back
      </Button>
      <Button onClick={() => step(1)} disabled={over} minHeight="12">
        Next step
        <ChevronRight size={18} aria-hidden />
      </Button>
      <Flex align="center" gap="3" flex="1 1 12rem">
        <chakra.progress
          aria-label="How far the call is"
          value={shown}
          max={SCRIPT.length}
          flex="1"
          height="8px"
          overflow="hidden"
          borderRadius="full"
          bg="line"
          // The browser's own colours are not those of the page, and hardly show when it is dark.
          css={{
            appearance: 'none',
            '&::-webkit-progress-bar': { bg: 'line' },
            '&::-webkit-progress-value': { bg: 'brand.solid' },
            '&::-moz-progress-bar': { bg: 'brand.solid' },
          }}
        />
        <Figures color="fg.muted" fontSize="0.875rem">
          {shown} of {SCRIPT.length}
        </Figures>
      </Flex>
    </Flex>
  );
}
