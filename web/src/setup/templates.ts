import type { MessageInitShape } from '@bufbuild/protobuf';
import { SegmentKind, type ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';

/** A service that salons of a kind usually have; its price is a suggestion in whole units of the currency. */
export type SuggestedService = {
  name: string;
  category: string;
  /** Minutes with the employee; of three, the middle ones pass without. */
  minutes: readonly [number] | readonly [number, number, number];
  price: number;
  aliases: readonly string[];
};

export type Template = {
  key: 'hair' | 'barber' | 'nails' | 'beauty';
  name: string;
  services: readonly SuggestedService[];
};

export const TEMPLATES: readonly Template[] = [
  {
    key: 'hair',
    name: 'Hair salon',
    services: [
      { name: 'Cut and blow-dry', category: 'Cut', minutes: [60], price: 55, aliases: ['haircut', 'cut'] },
      { name: 'Dry cut', category: 'Cut', minutes: [30], price: 35, aliases: ['trim'] },
      { name: 'Fringe trim', category: 'Cut', minutes: [15], price: 10, aliases: ['bangs'] },
      { name: 'Blow-dry', category: 'Styling', minutes: [45], price: 32, aliases: ['blow out'] },
      {
        name: 'Root colour',
        category: 'Colour',
        minutes: [30, 35, 30],
        price: 68,
        aliases: ['roots', 'root touch-up'],
      },
      {
        name: 'Full colour',
        category: 'Colour',
        minutes: [45, 40, 35],
        price: 92,
        aliases: ['all-over colour'],
      },
      {
        name: 'Half-head highlights',
        category: 'Colour',
        minutes: [75, 35, 40],
        price: 115,
        aliases: ['highlights', 'foils'],
      },
      { name: 'Toner', category: 'Colour', minutes: [15, 15, 15], price: 30, aliases: ['gloss'] },
    ],
  },
  {
    key: 'barber',
    name: 'Barber',
    services: [
      { name: 'Haircut', category: 'Hair', minutes: [30], price: 24, aliases: ['cut', 'trim'] },
      { name: 'Skin fade', category: 'Hair', minutes: [45], price: 28, aliases: ['fade'] },
      { name: 'Buzz cut', category: 'Hair', minutes: [20], price: 16, aliases: ['clipper cut', 'one grade'] },
      { name: 'Child’s haircut', category: 'Hair', minutes: [25], price: 18, aliases: ['kids cut'] },
      { name: 'Beard trim', category: 'Beard', minutes: [20], price: 15, aliases: ['beard'] },
      {
        name: 'Hot towel shave',
        category: 'Beard',
        minutes: [30],
        price: 26,
        aliases: ['wet shave', 'shave'],
      },
      { name: 'Haircut and beard', category: 'Hair', minutes: [50], price: 36, aliases: ['cut and beard'] },
    ],
  },
  {
    key: 'nails',
    name: 'Nail studio',
    services: [
      { name: 'Manicure', category: 'Hands', minutes: [40], price: 28, aliases: ['mani'] },
      {
        name: 'Gel manicure',
        category: 'Hands',
        minutes: [55],
        price: 38,
        aliases: ['shellac', 'gel nails'],
      },
      { name: 'Gel removal', category: 'Hands', minutes: [25], price: 14, aliases: ['soak off'] },
      {
        name: 'Acrylic full set',
        category: 'Hands',
        minutes: [90],
        price: 52,
        aliases: ['acrylics', 'extensions'],
      },
      { name: 'Acrylic infill', category: 'Hands', minutes: [60], price: 38, aliases: ['infills', 'fill'] },
      { name: 'Pedicure', category: 'Feet', minutes: [50], price: 36, aliases: ['pedi'] },
      { name: 'Gel pedicure', category: 'Feet', minutes: [65], price: 45, aliases: ['gel toes'] },
    ],
  },
  {
    key: 'beauty',
    name: 'Beauty salon',
    services: [
      { name: 'Classic facial', category: 'Face', minutes: [60], price: 58, aliases: ['facial'] },
      { name: 'Express facial', category: 'Face', minutes: [30], price: 36, aliases: ['mini facial'] },
      {
        name: 'Eyebrow shape',
        category: 'Brows and lashes',
        minutes: [20],
        price: 16,
        aliases: ['brows', 'eyebrow wax'],
      },
      {
        name: 'Eyebrow tint',
        category: 'Brows and lashes',
        minutes: [15],
        price: 12,
        aliases: ['brow tint'],
      },
      {
        name: 'Lash lift and tint',
        category: 'Brows and lashes',
        minutes: [60],
        price: 48,
        aliases: ['lash lift'],
      },
      { name: 'Half-leg wax', category: 'Waxing', minutes: [25], price: 24, aliases: ['leg wax'] },
      { name: 'Back massage', category: 'Body', minutes: [30], price: 38, aliases: ['massage'] },
      { name: 'Full-body massage', category: 'Body', minutes: [60], price: 62, aliases: ['body massage'] },
    ],
  },
];

/** How long a suggested service takes, all of it. */
export function minutesOf({ minutes }: SuggestedService): number {
  return minutes.reduce<number>((sum, stretch) => sum + stretch, 0);
}

/** A suggested service as it is created, at a price in minor units. */
export function serviceOf(
  { name, category, minutes, aliases }: SuggestedService,
  price: { minor: number; currency: string },
  employeeIds: string[],
): MessageInitShape<typeof ServiceSchema> {
  return {
    name,
    category,
    segments: minutes.map((stretch, index) => ({
      kind: index === 1 ? SegmentKind.PROCESSING : SegmentKind.ACTIVE,
      minutes: stretch,
    })),
    priceMinor: price.minor,
    currency: price.currency,
    aliases: [...aliases],
    employeeIds,
  };
}
