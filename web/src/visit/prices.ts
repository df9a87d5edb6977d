import type { Appointment } from '../gen/frontdesk/scheduling/v1/appointment_pb';
import { moneyText } from '../ui/money';

export type Prices = {
  /** Of each service, in the order of the visit's; empty where it is not known apart from the others. */
  items: string[];
  total: string;
};

/** What a visit costs by the price list, in its own currency; undefined for one without prices. */
export function pricesOf({ items, priceMinor, currency }: Appointment): Prices | undefined {
  if (!currency) return undefined;
  const total = moneyText(priceMinor, currency);
  const sum = items.reduce((sum, item) => sum + item.priceMinor, 0);
  // Nothing at all is more often a price list that is not filled in than a gift.
  if (priceMinor === 0 && sum === 0) return undefined;
  return {
    items: items.map(({ priceMinor: minor }) => {
      if (items.length === 1) return total;
      return sum === priceMinor ? moneyText(minor, currency) : '';
    }),
    total,
  };
}
