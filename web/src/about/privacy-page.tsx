import { Box, Stack } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { CardPage } from '../layout/card-page';
import { type KeptDays, runtime } from '../runtime';
import { daysText } from '../time/days-text';
import { H2, Text } from '../ui/text';

type Lines = readonly (readonly [what: string, text: string])[];

const KEPT_HERE: Lines = [
  ['Cookies', 'keep you signed in, remember a device you trust, and keep other sites from acting for you.'],
  [
    'Local storage',
    'keeps who you are for five minutes, so that pages load quickly, that you were signed in, whether you prefer light or dark pages, and how large the schedule is.',
  ],
  [
    'Session storage',
    'keeps, until the tab is closed, a random number that helps us trace a fault, a sign-in or an invitation that is under way, and a form you had not finished when your session ended or the page was reloaded. Never a password.',
  ],
];

const KEPT_OF_CALLERS: Lines = [
  [
    'Calls',
    'are kept with both numbers, their times, what was said in words, and what the agent looked up and did.',
  ],
  [
    'Recordings of calls',
    'are kept only at salons that turn them on, and deleted after the days that the salon has chosen. What the agent says about it before the conversation is the salon’s to write.',
  ],
  [
    'Customers',
    'are kept with their name, number and e-mail, their visits, what the salon notes about them, their patch tests and colour formulas, and whether they agreed to advertising.',
  ],
  [
    'The voice platform',
    'that answers for a salon hears the call to do so. The salon chooses it and has its own contract with it.',
  ],
  [
    'The language model',
    'that forms the agent’s sentences reads what is said in the call and what the agent looks up. It is the voice platform’s, or the installation’s own.',
  ],
  [
    'Calendars and booking systems',
    'that a salon connects receive its appointments, with the names of customers.',
  ],
];

const KEPT_OF_YOU: Lines = [
  [
    'Your account',
    'keeps your name, your e-mail and your role in each business. Your password is kept as a hash.',
  ],
  [
    'Its security record',
    'keeps sign-ins, devices you trust and changes of your roles, with the time and the kind of browser. You see it under your account.',
  ],
];

/** What is deleted by itself, and after how many days. */
function keptForATime(days: KeptDays): Lines {
  return [
    [
      'What voice platforms send',
      `word for word, for ${daysText(days.deliveries)}; the call that was read from it stays.`,
    ],
    [
      'Who changed what',
      `in a business, for ${daysText(days.changes)}, and who took copies of customers’ data, for ${daysText(days.exports)}.`,
    ],
    ['Tables that were imported', `for ${daysText(days.imports)}; the customers and items in them stay.`],
    [
      'What was written into calendars and booking systems',
      `and when: for ${daysText(days.syncHistory)} for calendars, ${daysText(days.providerRuns)} for booking systems; the appointments stay.`,
    ],
    [
      'What our own services tell each other',
      `about changed records, for ${daysText(days.events)}, and the answers kept for repeated requests, for ${daysText(days.answers)}.`,
    ],
    ['E-mails that were sent', `for ${daysText(days.mail)}.`],
    ['Which pages are used', `and by whom, without what they typed, for ${daysText(days.productEvents)}.`],
    ['Security records', `for ${daysText(days.securityEvents)}.`],
  ];
}

export function Component() {
  const { keptDays } = runtime();
  return (
    <CardPage
      wide
      title="Privacy"
      lead="What Frontdesk keeps in your browser, about your account, and about the people who call a salon."
    >
      <Part title="In this browser" lines={KEPT_HERE}>
        Nothing here is for advertising, and no other company’s scripts run on these pages.
      </Part>
      <Part title="About people who call or visit a salon" lines={KEPT_OF_CALLERS}>
        Each business keeps its own, and people of other businesses never see it. The salon decides what it
        keeps and answers requests to see, correct or erase it.
      </Part>
      <Part title="About people who work with Frontdesk" lines={KEPT_OF_YOU}>
        Administrators of the installation can open every business in it.
      </Part>
      {keptDays && (
        <Part title="Kept for a limited time" lines={keptForATime(keptDays)}>
          After that, Frontdesk deletes it by itself.
        </Part>
      )}
    </CardPage>
  );
}

function Part({ title, lines, children }: { title: string; lines: Lines; children: ReactNode }) {
  return (
    <Stack gap="3">
      <H2>{title}</H2>
      <Stack as="ul" gap="3" listStyleType="none">
        {lines.map(([what, text]) => (
          <Text as="li" key={what}>
            <Box as="strong" fontWeight="600">
              {what}
            </Box>{' '}
            {text}
          </Text>
        ))}
      </Stack>
      <Text>{children}</Text>
    </Stack>
  );
}
