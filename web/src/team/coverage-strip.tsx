import { ScreenReaderOnly } from '../ui/text';
import { type Hour, hourText, strainOf } from './coverage';
import { GROUND } from './styles';

type CoverageStripProps = {
  day: string;
  /** "Tuesday, 24 November". */
  title: string;
  hours: readonly Hour[];
  /** How many people the whole height is. */
  most: number;
};

/** Who works and who is booked, hour by hour: pale for those at work, full for those with a customer. */
export function CoverageStrip({ day, title, hours, most }: CoverageStripProps) {
  return (
    <ul className="hours" aria-label={`Coverage, ${title}`}>
      {hours.map((hour) => {
        const text = hourText(day, hour);
        return (
          <li key={hour.hour} className="hour" data-strain={strainOf(hour)} title={text}>
            <ScreenReaderOnly>{text}</ScreenReaderOnly>
            <span className="people" style={{ height: heightOf(hour.atWork, most) }} />
            <span className="busy" style={{ height: heightOf(Math.min(hour.booked, hour.atWork), most) }} />
            {hour.booked > hour.atWork && (
              <span
                className="excess"
                style={{
                  bottom: `calc(${GROUND} + ${heightOf(hour.atWork, most)})`,
                  height: heightOf(hour.booked - hour.atWork, most),
                }}
              />
            )}
            <span className="ground" />
          </li>
        );
      })}
    </ul>
  );
}

/** Of what the line below leaves. */
const heightOf = (people: number, most: number) => (most === 0 ? '0' : `${(88 * people) / most}%`);
