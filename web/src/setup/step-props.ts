/** What each step after the first is told. */
export type StepProps = { businessId: string; zone: string; onDone: () => void };
