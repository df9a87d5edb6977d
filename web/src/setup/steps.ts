/** What a salon needs before its telephone can be answered, in the order in which it is asked for. */
export const STEPS = ['details', 'hours', 'team', 'services', 'owner', 'phone'] as const;
export type Step = (typeof STEPS)[number];

export const STEP_NAMES: Readonly<Record<Step, string>> = {
  details: 'Details',
  hours: 'Opening hours',
  team: 'Employees',
  services: 'Services',
  owner: 'Owner',
  phone: 'Telephone',
};

/** What its owner has to do: the steps, and what only they see to. */
export type Todo = Step | 'agent';
export const TODOS: readonly Todo[] = [...STEPS, 'agent'];

/** What the steps depend on; undefined while it is not known, or not for this person to know. */
export type StepFacts = {
  openDays: number | undefined;
  employees: number | undefined;
  scheduledEmployees: number | undefined;
  services: number | undefined;
  /** Services that an employee does. */
  bookableServices: number | undefined;
  owners: number | undefined;
  invitedOwners: number | undefined;
  voiceConnections: number | undefined;
};

/** What is known of a salon, likewise. */
export type SetupFacts = StepFacts & {
  /** The published version of the agent; 0 before there is one. */
  agentVersion: number | undefined;
};

/** Before anything is known of a salon. */
export const NOTHING_KNOWN: SetupFacts = {
  openDays: undefined,
  employees: undefined,
  scheduledEmployees: undefined,
  services: undefined,
  bookableServices: undefined,
  owners: undefined,
  invitedOwners: undefined,
  voiceConnections: undefined,
  agentVersion: undefined,
};

/** Whether everything is known. */
export function isKnown(facts: SetupFacts): boolean {
  return Object.values(facts).every((fact) => fact !== undefined);
}

/** Whether a step is done; undefined while that is not known. */
export function isDone(step: Step, facts: StepFacts): boolean | undefined {
  const some = (count: number | undefined) => (count === undefined ? undefined : count > 0);
  switch (step) {
    case 'details':
      return true;
    case 'hours':
      return some(facts.openDays);
    case 'team':
      return some(facts.scheduledEmployees);
    case 'services':
      return some(facts.bookableServices);
    case 'owner':
      return facts.owners === undefined || facts.invitedOwners === undefined
        ? undefined
        : facts.owners + facts.invitedOwners > 0;
    case 'phone':
      return some(facts.voiceConnections);
  }
}

/** The steps that are known to be open. */
export function openSteps(facts: StepFacts): Step[] {
  return STEPS.filter((step) => isDone(step, facts) === false);
}

/** Without these a day and a week of the team have nothing to show. */
export const DAY_STEPS: readonly Step[] = ['hours', 'team', 'services'];

/** What is left, as long as one of these is among it. */
export function leftWith(todos: readonly Todo[], facts: SetupFacts): Todo[] {
  const left: Todo[] = openSteps(facts);
  if (facts.agentVersion === 0) left.push('agent');
  return left.some((todo) => todos.includes(todo)) ? left : [];
}

export function stepOf(text: string | null): Step | undefined {
  return STEPS.find((step) => step === text);
}

/** Where to go on: the first step that is open, else the last. */
export function firstOpen(facts: SetupFacts): Step {
  return openSteps(facts)[0] ?? 'phone';
}

/** Where a step leads: to the next one, and from the last to one that is still open. Undefined once that was all. */
export function stepAfter(step: Step, facts: SetupFacts): Step | undefined {
  return STEPS[STEPS.indexOf(step) + 1] ?? openSteps(facts).find((open) => open !== step);
}

/** What is missing, as the thing to do. */
export const TO_DO: Readonly<Record<Todo, { title: string; why: string }>> = {
  details: { title: 'Name the salon', why: 'Customers hear it on the phone.' },
  hours: { title: 'Set the opening hours', why: 'Without them no time can be offered.' },
  team: { title: 'Add employees and their hours', why: 'Visits are booked with them.' },
  services: { title: 'Add services that employees do', why: 'There is nothing to book without them.' },
  owner: { title: 'Invite the owner', why: 'Only administrators can change the salon until then.' },
  phone: { title: 'Connect the telephone', why: 'Until then the agent answers no call.' },
  agent: { title: 'Publish the agent', why: 'Calls follow your settings only once they are published.' },
};
