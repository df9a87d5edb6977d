/** A sample call: what was said, what the agent looked up, and what that did to the day. Every person is invented. */

export type DemoBlock = {
  key: string;
  employee: (typeof TEAM)[number];
  from: number;
  to: number;
  title: string;
  service: string;
};

/** What the day shows besides its bookings. */
export type DayMark =
  | { kind: 'offered'; starts: readonly { employee: (typeof TEAM)[number]; from: number }[] }
  | { kind: 'held'; block: DemoBlock }
  | { kind: 'booked'; block: DemoBlock };

export type DemoStep =
  | { kind: 'said'; by: 'agent' | 'caller'; atMs: number; text: string }
  | {
      kind: 'tool';
      atMs: number;
      ms: number;
      name: string;
      what: string;
      asked: string;
      answered: string;
      mark?: DayMark;
    };

export const TEAM = ['Mia', 'Noah', 'Sofia'] as const;
export const OPENS = 9 * 60;
export const CLOSES = 17 * 60;
export const CALLER = 'Ana';

const at = (hour: number, minute = 0) => hour * 60 + minute;

/** What is booked before the call. */
export const BOOKED: readonly DemoBlock[] = [
  {
    key: 'b1',
    employee: 'Mia',
    from: at(9, 30),
    to: at(11, 30),
    title: 'Priya Shah',
    service: 'Root colour',
  },
  { key: 'b2', employee: 'Mia', from: at(13), to: at(14), title: 'Leo Martin', service: 'Haircut' },
  { key: 'b3', employee: 'Mia', from: at(15), to: at(16, 30), title: 'Grace Owens', service: 'Highlights' },
  { key: 'b4', employee: 'Noah', from: at(10), to: at(11), title: 'Tom Fisher', service: 'Haircut' },
  {
    key: 'b5',
    employee: 'Noah',
    from: at(12, 30),
    to: at(14, 30),
    title: 'Eva Lind',
    service: 'Full colour',
  },
  { key: 'b6', employee: 'Noah', from: at(15, 30), to: at(16, 30), title: 'Sam Okoro', service: 'Haircut' },
  { key: 'b7', employee: 'Sofia', from: at(9), to: at(10), title: 'Iris Blom', service: 'Blow-dry' },
  { key: 'b8', employee: 'Sofia', from: at(11), to: at(13), title: 'Nina Petrov', service: 'Highlights' },
  { key: 'b9', employee: 'Sofia', from: at(14), to: at(15, 30), title: 'Ruth Cole', service: 'Root colour' },
];

const NEW: DemoBlock = {
  key: 'new',
  employee: 'Mia',
  from: at(14),
  to: at(14, 45),
  title: CALLER,
  service: 'Haircut',
};

export const SCRIPT: readonly DemoStep[] = [
  { kind: 'said', by: 'agent', atMs: 600, text: 'Willow and Co, good day. How can I help?' },
  {
    kind: 'tool',
    atMs: 2600,
    ms: 38,
    name: 'find_customer',
    what: 'Looks up who calls',
    asked: 'The number of the call',
    answered: 'One customer: Ana Ash',
  },
  { kind: 'said', by: 'caller', atMs: 2900, text: 'Hi, I’d like to book a haircut, please. It’s Ana.' },
  { kind: 'said', by: 'agent', atMs: 5600, text: 'I have you as Ana. Is that right?' },
  { kind: 'said', by: 'caller', atMs: 7400, text: 'Yes, that’s me.' },
  {
    kind: 'tool',
    atMs: 8300,
    ms: 21,
    name: 'list_services',
    what: 'Finds the service she means',
    asked: '“haircut”',
    answered: 'Haircut, 45 minutes, £48',
  },
  {
    kind: 'said',
    by: 'agent',
    atMs: 8800,
    text: 'Haircut takes 45 minutes and costs 48 pounds. When would you like to come?',
  },
  {
    kind: 'said',
    by: 'caller',
    atMs: 11_600,
    text: 'An afternoon would be best. With anyone, I don’t mind.',
  },
  {
    kind: 'tool',
    atMs: 14_000,
    ms: 47,
    name: 'search_availability',
    what: 'Searches the book of all three',
    asked: 'Haircut, today in the afternoon, with anyone',
    answered: '2 p.m. with Mia, 2:30 p.m. with Noah, 3:30 p.m. with Sofia',
    mark: {
      kind: 'offered',
      starts: [
        { employee: 'Mia', from: at(14) },
        { employee: 'Noah', from: at(14, 30) },
        { employee: 'Sofia', from: at(15, 30) },
      ],
    },
  },
  {
    kind: 'said',
    by: 'agent',
    atMs: 14_500,
    text: 'Today I have 2 p.m. with Mia, 2:30 with Noah and 3:30 with Sofia. Which suits you?',
  },
  { kind: 'said', by: 'caller', atMs: 17_600, text: 'The first one, please.' },
  {
    kind: 'tool',
    atMs: 18_600,
    ms: 52,
    name: 'hold_slot',
    what: 'Holds the time while she decides',
    asked: 'Haircut, today at 2 p.m. with Mia',
    answered: 'Held for five minutes',
    mark: { kind: 'held', block: NEW },
  },
  {
    kind: 'said',
    by: 'agent',
    atMs: 19_000,
    text: 'I’m keeping today at 2 p.m. with Mia for you. Shall I book it?',
  },
  { kind: 'said', by: 'caller', atMs: 21_000, text: 'Yes, please do.' },
  {
    kind: 'tool',
    atMs: 21_800,
    ms: 64,
    name: 'book_appointment',
    what: 'Books the held time',
    asked: 'The held time, for Ana Ash',
    answered: 'Booked: Haircut with Mia, 2 p.m.',
    mark: { kind: 'booked', block: NEW },
  },
  {
    kind: 'said',
    by: 'agent',
    atMs: 22_400,
    text: 'You’re booked, Ana: Haircut, today at 2 p.m. with Mia. See you then!',
  },
  { kind: 'said', by: 'caller', atMs: 25_200, text: 'Lovely, thank you. Bye!' },
];

/** What the day shows once the first `count` steps are over. */
export function markAfter(count: number): DayMark | undefined {
  return SCRIPT.slice(0, count)
    .flatMap((step) => (step.kind === 'tool' && step.mark ? [step.mark] : []))
    .at(-1);
}

const LONGEST_PAUSE_MS = 2800;
const SHORTEST_PAUSE_MS = 700;

/** How long step `index` stands alone before the next one comes: as in the call, within bounds. */
export function pauseAfter(index: number): number {
  const [now, next] = [SCRIPT[index], SCRIPT[index + 1]];
  if (!now || !next) return 0;
  return Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, next.atMs - now.atMs));
}
