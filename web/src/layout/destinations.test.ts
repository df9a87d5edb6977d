import { expect, it } from 'vitest';
import { paths } from '../paths';
import { businessDestinations, isWithin } from './destinations';

const at = (pathname: string) =>
  businessDestinations('b1', 'OWNER')
    .filter((destination) => isWithin(destination, pathname))
    .map(({ label }) => label);

it.each([
  [paths.business('b1'), ['Home']],
  [paths.schedule('b1'), ['Schedule']],
  [paths.appointment('b1', 'a1'), ['Schedule']],
  [paths.call('b1', 'c1'), ['Calls']],
  [paths.customer('b1', 'c1'), ['Customers']],
  [paths.intelligence('b1'), ['Services']],
  [paths.insights('b1'), ['Insights']],
  [paths.agent('b1'), ['Agent settings']],
  [paths.details('b1'), ['Details']],
])('the address %s belongs to %j', (pathname, labels) => {
  expect(at(pathname)).toEqual(labels);
});
