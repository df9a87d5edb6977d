import { useQuery } from '@tanstack/react-query';
import { stateName } from '../../appointments/state';
import { businessQuery } from '../../business/queries';
import { pinnedNotesQuery } from '../../customers/queries';
import { type Column, loadText, type PlacedCard, type Shade } from '../../day/columns';
import { minuteText } from '../../day/opening';
import type { Span } from '../../day/spans';
import { AppointmentState } from '../../gen/frontdesk/scheduling/v1/appointment_pb';
import { longDayText } from '../../time/day-text';
import { dateAndTime, zoneCity } from '../../time/zoned';
import { phoneText } from '../../ui/phone';
import { PrintSheet } from '../../ui/print-sheet';
import { customersIn, printedColumns } from './printed-columns';

type DaySheetProps = {
  businessId: string;
  zone: string;
  columns: readonly Column[];
  /** The viewer may read what has to be known of customers. */
  mayReadNotes: boolean;
};

const COULD_NOT_BE_READ = 'they could not be read.';
/** The browser's own command prints what is there. */
const NOT_ASKED_FOR = 'print with “Print…” in the menu of the day, which reads them first.';

/** A day on paper: a page for each employee who works or has visits, or an employee's week. */
export function DaySheet({ businessId, zone, columns, mayReadNotes }: DaySheetProps) {
  // Both were read when printing was asked for; the browser's own command waits for nothing.
  const business = useQuery({ ...businessQuery(businessId), enabled: false }).data?.business?.name;
  const customerIds = customersIn(columns);
  const { data: pinned, isError } = useQuery({
    ...pinnedNotesQuery(businessId, customerIds),
    enabled: false,
  });
  const { printed, absent } = printedColumns(columns);
  const isWeek = new Set(columns.map(({ day }) => day)).size > 1;
  return (
    <PrintSheet>
      {printed.map((column) => (
        <section key={column.key} className={isWeek ? undefined : 'page'}>
          <h1>
            {column.employeeName}, {longDayText(column.day)}
          </h1>
          <p className="aside">{[business, workText(column)].filter(Boolean).join(' · ')}</p>
          <DayTable column={column} pinned={pinned} />
        </section>
      ))}
      {printed.length === 0 && <p>No one works, and nothing is booked.</p>}
      <p className="aside" style={{ marginTop: '10pt' }}>
        {absent.length > 0 && `Not working: ${absent.join(', ')}. `}
        {mayReadNotes &&
          customerIds.length > 0 &&
          !pinned &&
          `Pinned notes of customers are missing here: ${isError ? COULD_NOT_BE_READ : NOT_ASKED_FOR} `}
        Times in {zoneCity(zone)}. Printed {dateAndTime(new Date(), zone)}.
      </p>
    </PrintSheet>
  );
}

function workText(column: Column): string {
  const hours = column.working.map(spanText).join(', ');
  const { text } = loadText(column);
  return hours ? `At work ${hours} · ${text.split(' · ')[0]}` : text;
}

const spanText = ({ from, to }: Span) => `${minuteText(from)} – ${minuteText(to)}`;

type Pinned = ReadonlyMap<string, readonly string[]> | undefined;

function DayTable({ column, pinned }: { column: Column; pinned: Pinned }) {
  const taken = column.shades.filter(({ kind }) => kind === 'blocked' || kind === 'busy' || kind === 'off');
  const lines = [
    ...column.cards.map((card) => ({ at: card.from, key: card.key, card, shade: undefined })),
    ...taken.map((shade) => ({
      at: shade.from,
      key: `${shade.kind}${shade.from}`,
      card: undefined,
      shade,
    })),
  ].sort((one, other) => one.at - other.at);
  if (lines.length === 0) return <p>Nothing booked.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th style={{ width: '16%' }}>Time</th>
          <th style={{ width: '24%' }}>Customer</th>
          <th style={{ width: '26%' }}>Service</th>
          <th>Notes</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ key, card, shade }) =>
          card ? (
            <VisitLine key={key} card={card} pinned={pinned} />
          ) : (
            shade && <TakenLine key={key} shade={shade} />
          ),
        )}
      </tbody>
    </table>
  );
}

/** What most visits are goes without saying. */
const UNSAID = [AppointmentState.BOOKED, AppointmentState.CONFIRMED];

function VisitLine({ card, pinned }: { card: PlacedCard; pinned: Pinned }) {
  const { appointment, customer, services, resources, locked } = card;
  const notes = pinned?.get(appointment.customerId) ?? [];
  const how = [
    resources,
    locked && `Stylist: ${locked}`,
    !UNSAID.includes(appointment.state) && stateName(appointment.state),
    appointment.squeezedIn && 'Squeezed in',
    card.part && `Part ${card.part.number} of ${card.part.of}`,
  ].filter(Boolean);
  return (
    <tr>
      <td className="time">{spanText(card)}</td>
      <td>
        <span className="strong">{customer}</span>
        <br />
        {phoneText(appointment.customerPhone)}
      </td>
      <td>
        {services}
        {how.length > 0 && (
          <>
            <br />
            <span className="aside">{how.join(' · ')}</span>
          </>
        )}
      </td>
      <td>
        {notes.map((text) => (
          <div key={text} className="lines strong">
            {text}
          </div>
        ))}
        <div className="lines">{appointment.notes}</div>
      </td>
    </tr>
  );
}

function TakenLine({ shade }: { shade: Shade }) {
  const blocked = shade.kind === 'blocked' && shade.label !== 'Blocked';
  return (
    <tr className="aside">
      <td className="time">{spanText(shade)}</td>
      <td colSpan={3}>{blocked ? `Blocked: ${shade.label}` : shade.label}</td>
    </tr>
  );
}
