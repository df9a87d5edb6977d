import { expect, it } from 'vitest';
import { columnsOf } from '../../day/columns';
import { column, dayOf, visit } from '../../testing/day-answer';
import { customersIn, printedColumns } from './printed-columns';

const columns = columnsOf(
  dayOf({
    columns: [column('ana'), column('ben', { working: [] }), column('cem', { working: [] })],
    visits: [
      visit('zoe', [['cut', 'ana', 600, 630]]),
      visit('ada', [['cut', 'ben', 600, 630]]),
      visit('walk-in', [['cut', 'ana', 660, 690]], { customerId: '' }),
      visit('zoe again', [['cut', 'ana', 700, 730]], { customerId: 'zoe' }),
    ],
  }),
  '',
);

it('prints who works or has visits, and names the others', () => {
  const { printed, absent } = printedColumns(columns);
  expect(printed.map(({ employeeName }) => employeeName)).toEqual(['Ana', 'Ben']);
  expect(absent).toEqual(['Cem']);
});

it('reads what has to be known of each customer once', () => {
  expect(customersIn(columns)).toEqual(['ada', 'zoe']);
});
