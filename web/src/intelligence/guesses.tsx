import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { Service } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { messageOf } from '../http/errors';
import { Button } from '../ui/button';
import { Bar, Loading } from '../ui/skeleton';
import { Muted, ScreenReaderOnly } from '../ui/text';
import { guessesQuery } from './queries';

/** More than the best two are looked up sooner. */
const SHOWN = 2;

type GuessesProps = { businessId: string; phrase: string; onPick: (service: Service) => void };

/** What a phrase may mean, the likeliest first: one press, and it does. */
export function Guesses({ businessId, phrase, onPick }: GuessesProps) {
  const { data, error, isFetching, refetch } = useQuery(guessesQuery(businessId, phrase));
  if (!data && !error) {
    return (
      <Loading label={`Looking for what “${phrase}” may mean`}>
        <Bar width="9rem" height="2.75rem" />
      </Loading>
    );
  }
  if (!data) {
    return (
      <>
        <Muted>No guess: {messageOf(error)}</Muted>
        <Button loading={isFetching} onClick={() => void refetch()}>
          Guess again
          <ScreenReaderOnly> what “{phrase}” means</ScreenReaderOnly>
        </Button>
      </>
    );
  }
  const guesses = data.candidates.slice(0, SHOWN);
  if (guesses.length === 0)
    return <Muted flexBasis={{ base: '100%', sm: 'auto' }}>Nothing sounds like it.</Muted>;
  return guesses.map(
    ({ service, score }, index) =>
      service && (
        <Button
          key={service.id}
          variant={index === 0 ? 'outline' : 'quiet'}
          py="1.5"
          whiteSpace="normal"
          textAlign="start"
          onClick={() => onPick(service)}
        >
          {index === 0 && <Check size={18} aria-hidden />}
          {service.name}
          <chakra.span color="fg.muted" fontSize="0.875rem" fontVariantNumeric="tabular-nums">
            {Math.round(score * 100)} %
          </chakra.span>
          <ScreenReaderOnly> alike: let “{phrase}” mean it</ScreenReaderOnly>
        </Button>
      ),
  );
}
