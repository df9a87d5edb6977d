import { chakra, Flex, Stack } from '@chakra-ui/react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button } from '../ui/button';
import { Muted } from '../ui/text';

type MoreChoicesProps = {
  /** What is chosen there, or what can be. */
  text: string;
  children: ReactNode;
};

/** Folds what few bookings need, so that free times are in sight on a phone; what is chosen there stays readable. */
export function MoreChoices({ text, children }: MoreChoicesProps) {
  const [open, setOpen] = useState(false);
  return (
    <Stack gap="4">
      <Flex>
        <Button
          variant="quiet"
          ms="-3"
          whiteSpace="normal"
          textAlign="start"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronUp size={18} aria-hidden /> : <ChevronDown size={18} aria-hidden />}
          {open ? (
            'Fewer choices'
          ) : (
            <chakra.span>
              More choices
              <Muted as="span" fontWeight="400">
                : {text}
              </Muted>
            </chakra.span>
          )}
        </Button>
      </Flex>
      {open && children}
    </Stack>
  );
}
