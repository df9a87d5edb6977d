import { Box, Flex, Stack } from '@chakra-ui/react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import type { UnmatchedPhrase } from '../gen/frontdesk/scheduling/v1/matching_pb';
import { TextLink } from '../layout/links';
import { paths } from '../paths';
import { agoText } from '../time/ago';
import { moment } from '../time/zoned';
import { Button } from '../ui/button';
import { Refusal } from '../ui/states';
import { Muted, ScreenReaderOnly, Text } from '../ui/text';
import { Guesses } from './guesses';
import { timesText } from './phrases';
import type { Settling } from './use-settling';

const ServiceChoice = lazy(() =>
  import('./service-choice').then(({ ServiceChoice }) => ({ default: ServiceChoice })),
);

type PhraseRowProps = {
  businessId: string;
  phrase: UnmatchedPhrase;
  services: Service[];
  settles: boolean;
  settling: Settling;
  now: Date;
};

/** A phrase: how often it was said, and the choice of a service; then the result, with an undo. */
export function PhraseRow(props: PhraseRowProps) {
  const { phrase, settling } = props;
  const row = useRef<HTMLDivElement>(null);
  const settled = settling.settled.find((one) => one.phrase.id === phrase.id);
  const leaving = settling.leaving.includes(phrase.id);
  const state = settled ? 'settled' : leaving ? 'leaving' : 'waiting';

  // The button that was pressed is gone: from here Tab goes on.
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== state && document.activeElement === document.body) row.current?.focus();
    before.current = state;
  }, [state]);

  return (
    <Box
      ref={row}
      tabIndex={-1}
      px={{ base: '4', sm: '6' }}
      py="3.5"
      borderTop="1px solid"
      borderColor="line"
      bg={state === 'waiting' ? undefined : 'bg.sunken'}
      _focusVisible={{ outlineOffset: '-2px' }}
    >
      {settled && (
        <Gone
          text={`“${phrase.phrase}” means ${settled.service.name} now.`}
          undo={settled.undoable ? () => settling.undo(settled) : undefined}
          busy={settling.busy}
          about={phrase.phrase}
        />
      )}
      {leaving && (
        <Gone
          text={`“${phrase.phrase}” is put aside.`}
          undo={() => settling.keep(phrase.id)}
          about={phrase.phrase}
        />
      )}
      {state === 'waiting' && <Waiting {...props} />}
    </Box>
  );
}

function Waiting({ businessId, phrase, services, settles, settling, now }: PhraseRowProps) {
  const [choosing, setChoosing] = useState(false);
  const settle = (service: Service) => settling.settle(phrase, service);
  return (
    <Stack gap="3">
      <Flex gap="4" rowGap="3" align="center" wrap="wrap">
        <Stack gap="0" flex="1 1 14rem" minWidth="0">
          <Text fontWeight="600">“{phrase.phrase}”</Text>
          <Said businessId={businessId} phrase={phrase} now={now} />
        </Stack>
        {settles && (
          <Flex gap="2" wrap="wrap" align="center">
            <Guesses businessId={businessId} phrase={phrase.phrase} onPick={settle} />
            <Button variant="quiet" aria-expanded={choosing} onClick={() => setChoosing(!choosing)}>
              Another service
              <ScreenReaderOnly> for “{phrase.phrase}”</ScreenReaderOnly>
            </Button>
            {!phrase.dismissed && (
              <Button variant="quiet" onClick={() => settling.dismiss(phrase.id)}>
                Put aside
                <ScreenReaderOnly> “{phrase.phrase}”</ScreenReaderOnly>
              </Button>
            )}
          </Flex>
        )}
      </Flex>
      {choosing && (
        <Box maxWidth="24rem">
          <Suspense>
            <ServiceChoice phrase={phrase.phrase} services={services} onPick={settle} />
          </Suspense>
        </Box>
      )}
      <Refusal>{settling.refusals[phrase.id]}</Refusal>
    </Stack>
  );
}

function Said({ businessId, phrase, now }: Pick<PhraseRowProps, 'businessId' | 'phrase' | 'now'>) {
  const last = moment(phrase.lastAt);
  const when: ReactNode = last && agoText(last, now);
  return (
    <Muted>
      {timesText(phrase.count)}
      {when && (
        <>
          , last{' '}
          {phrase.lastCallId ? (
            <TextLink to={paths.call(businessId, phrase.lastCallId)}>{when}</TextLink>
          ) : (
            when
          )}
        </>
      )}
    </Muted>
  );
}

type GoneProps = { text: string; undo: (() => void) | undefined; busy?: boolean; about: string };

/** Stands in the phrase's place while it can be undone. */
function Gone({ text, undo, busy = false, about }: GoneProps) {
  return (
    <Flex align="center" justify="space-between" gap="4" minHeight="11">
      <Text role="status" fontWeight="550" minWidth="0">
        {text}
      </Text>
      {undo && (
        <Button flexShrink="0" loading={busy} onClick={undo}>
          Undo
          <ScreenReaderOnly> what “{about}” became</ScreenReaderOnly>
        </Button>
      )}
    </Flex>
  );
}
