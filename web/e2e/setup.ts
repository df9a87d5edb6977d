import { shiftOwnClock } from './clock';

shiftOwnClock();
