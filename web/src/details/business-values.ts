import * as z from 'zod/mini';
import type { Business } from '../gen/frontdesk/tenancy/v1/business_pb';
import { phoneText } from '../ui/phone';

/** What the form of a business's details holds. */
export const businessFields = z.object({
  name: z
    .string()
    .check(z.trim(), z.minLength(1, 'Give it a name.'), z.maxLength(200, 'At most 200 characters.')),
  address: z.string().check(z.trim(), z.maxLength(300, 'At most 300 characters.')),
  phone: z.string().check(z.trim()),
  email: z.string().check(z.trim(), z.regex(/^$|^\S+@\S+$/, 'Enter an e-mail address, or leave it empty.')),
  website: z.string().check(z.trim(), z.maxLength(300, 'At most 300 characters.')),
  currency: z.string(),
  brandColor: z.string().check(z.regex(/^$|^#[0-9a-f]{6}$/i, 'Choose a colour.')),
});

export type BusinessValues = z.infer<typeof businessFields>;

const BUSINESS_FIELD_NAMES = [
  'name',
  'address',
  'phone',
  'email',
  'website',
  'currency',
  'brandColor',
] as const satisfies readonly (keyof BusinessValues)[];

/** What is on record, with the phone number grouped as it is everywhere else. */
export function businessValues({
  name,
  address,
  phone,
  email,
  website,
  currency,
  brandColor,
}: Business): BusinessValues {
  return { name, address, phone: phoneText(phone), email, website, currency, brandColor };
}

/** The server's name of a field as the form's: "brand_color" is `brandColor`. */
export function fieldOf(name: string): keyof BusinessValues | undefined {
  const camel = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return BUSINESS_FIELD_NAMES.find((field) => field === camel);
}

/** The currency of a country's business, from the browser's own idea of the zone; pounds when it has none. */
export function currencyOfZone(zone: string): string {
  if (/^Europe\/(London|Belfast|Jersey|Guernsey|Isle_of_Man)$/.test(zone)) return 'GBP';
  if (zone === 'Europe/Zurich') return 'CHF';
  if (zone === 'Europe/Stockholm') return 'SEK';
  if (zone === 'Europe/Copenhagen') return 'DKK';
  if (zone === 'Europe/Oslo') return 'NOK';
  if (zone === 'Europe/Warsaw') return 'PLN';
  if (zone === 'Europe/Prague') return 'CZK';
  if (zone.startsWith('Europe/')) return 'EUR';
  if (/^America\/(Toronto|Vancouver|Edmonton|Winnipeg|Halifax|St_Johns|Regina)$/.test(zone)) return 'CAD';
  if (
    /^(America\/(New_York|Chicago|Denver|Los_Angeles|Phoenix|Detroit|Anchorage)|Pacific\/Honolulu)$/.test(
      zone,
    )
  )
    return 'USD';
  if (zone.startsWith('Australia/')) return 'AUD';
  if (zone === 'Pacific/Auckland') return 'NZD';
  return '';
}
