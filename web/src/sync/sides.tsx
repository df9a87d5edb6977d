import type { CheckedSide } from '../gen/frontdesk/calendarsync/v1/consistency_pb';
import { asSentence } from '../http/errors';
import { Badge } from '../ui/badge';
import { Card } from '../ui/card';
import { Table } from '../ui/table';
import { Muted } from '../ui/text';
import { kindText } from './wording';

const SHOWN = 12;

type SidesProps = { sides: readonly CheckedSide[]; names: ReadonlyMap<string, string> };

/** Each calendar that was compared. */
export function Sides({ sides, names }: SidesProps) {
  if (sides.length === 0) return null;
  const nameOf = ({ employeeId }: CheckedSide) => names.get(employeeId) ?? 'An employee';
  const byName = [...sides].sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return (
    <Card title="Calendars compared" flush>
      <Table label="Calendars compared" stacked>
        <thead>
          <tr>
            <th scope="col">Employee</th>
            <th scope="col">Calendar</th>
            <th scope="col" data-figures>
              Appointments there
            </th>
            <th scope="col">Digest</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {byName.map((side) => (
            <tr key={side.calendarId}>
              <th scope="row">{nameOf(side)}</th>
              <td>
                {side.calendarName} ({kindText(side.calendarKind)})
              </td>
              <td data-figures data-label="Appointments there">
                {side.fault || side.isReadOnly ? '–' : side.eventCount}
              </td>
              <td data-label="Digest">
                <code title={side.digest}>{side.digest.slice(0, SHOWN)}</code>
              </td>
              <td>
                {side.isReadOnly ? (
                  <>
                    <Badge tone="quiet">Read-only</Badge>
                    <Muted fontSize="0.875rem">Appointments are not written there.</Muted>
                  </>
                ) : side.fault ? (
                  <>
                    <Badge tone="bad">Not read</Badge>
                    <Muted fontSize="0.875rem">{asSentence(side.fault)}</Muted>
                  </>
                ) : side.digest === side.expectedDigest ? (
                  <Badge tone="good">In step</Badge>
                ) : (
                  <Badge tone="warn">Differs</Badge>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}
