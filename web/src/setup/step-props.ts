import type { Step } from './steps';

/** What each step after the first is told: the business it sets up, and the way on. */
export type StepProps = {
  businessId: string;
  zone: string;
  /** Where `onDone` leads; undefined once no other step is open. */
  next: Step | undefined;
  onDone: () => void;
};
