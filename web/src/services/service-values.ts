import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Stretch } from '../day/segments';
import {
  SegmentKind,
  type Service,
  type ServiceSchema,
  type SkillOverride,
} from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { majorText, minorOf } from '../ui/money';

/** A stretch as it stands in the form; `own` has the minutes of those who take another time for it. */
type SegmentValues = {
  kind: 'active' | 'processing';
  minutes: number;
  own: Record<string, string>;
};

/** A service as its form holds it. */
export type ServiceValues = {
  name: string;
  category: string;
  price: string;
  currency: string;
  segments: SegmentValues[];
  bufferBefore: number;
  bufferAfter: number;
  aliases: string[];
  employees: string[];
  /** What some of them charge, by employee; empty means the service's price. */
  prices: Record<string, string>;
  kinds: string[];
  /** What a customer must have been tested for before; empty where nothing is needed. */
  patchTest: string;
};

export const STEP = 5;
export const MOST_MINUTES = 720;
export const MOST_BUFFER = 120;

/** What a new service starts as. */
export function newService(currency: string, category = ''): ServiceValues {
  return {
    name: '',
    category,
    price: '',
    currency,
    segments: [{ kind: 'active', minutes: 45, own: {} }],
    bufferBefore: 0,
    bufferAfter: 0,
    aliases: [],
    employees: [],
    prices: {},
    kinds: [],
    patchTest: '',
  };
}

export function valuesOf(service: Service): ServiceValues {
  const own = (index: number) =>
    Object.fromEntries(
      service.overrides.flatMap(({ employeeId, segmentMinutes }) => {
        const minutes = segmentMinutes[index];
        return minutes === undefined || minutes === service.segments[index]?.minutes
          ? []
          : [[employeeId, String(minutes)]];
      }),
    );
  return {
    name: service.name,
    category: service.category,
    price: majorText(service.priceMinor, service.currency),
    currency: service.currency,
    segments: service.segments.map(({ kind, minutes }, index) => ({
      kind: kind === SegmentKind.PROCESSING ? 'processing' : 'active',
      minutes,
      own: own(index),
    })),
    bufferBefore: service.bufferBeforeMinutes,
    bufferAfter: service.bufferAfterMinutes,
    aliases: service.aliases,
    employees: service.employeeIds,
    prices: Object.fromEntries(
      service.overrides.flatMap(({ employeeId, priceMinor }) =>
        priceMinor === undefined ? [] : [[employeeId, majorText(priceMinor, service.currency)]],
      ),
    ),
    kinds: service.resourceKinds,
    patchTest: service.patchTest,
  };
}

/** What the form amounts to; its prices can be read, as `problemsOf` has made sure. */
export function serviceOf(values: ServiceValues): MessageInitShape<typeof ServiceSchema> {
  const { currency } = values;
  return {
    name: values.name.trim(),
    category: values.category.trim(),
    segments: values.segments.map(({ kind, minutes }) => ({
      kind: kind === 'processing' ? SegmentKind.PROCESSING : SegmentKind.ACTIVE,
      minutes,
    })),
    bufferBeforeMinutes: values.bufferBefore,
    bufferAfterMinutes: values.bufferAfter,
    priceMinor: minorOf(values.price, currency) ?? 0,
    currency,
    aliases: values.aliases,
    employeeIds: values.employees,
    overrides: values.employees.flatMap((employeeId) => overrideOf(values, employeeId) ?? []),
    resourceKinds: values.kinds,
    patchTest: values.patchTest.trim(),
  };
}

type Override = Pick<SkillOverride, 'employeeId' | 'segmentMinutes'> & { priceMinor?: number };

function overrideOf({ segments, prices, currency }: ServiceValues, employeeId: string): Override | undefined {
  const differs = segments.some(({ own }) => own[employeeId]);
  const priceMinor = minorOf(prices[employeeId] ?? '', currency);
  if (!differs && priceMinor === undefined) return undefined;
  return {
    employeeId,
    segmentMinutes: differs ? segments.map(({ own, minutes }) => Number(own[employeeId] || minutes)) : [],
    ...(priceMinor === undefined ? {} : { priceMinor }),
  };
}

/** The bar of a form that is being filled in; what is no length yet takes no room. */
export function stretchesOfValues(values: Pick<ServiceValues, 'segments' | 'bufferBefore' | 'bufferAfter'>) {
  const stretch = (kind: Stretch['kind'], minutes: number): Stretch[] =>
    minutes > 0 ? [{ kind, minutes }] : [];
  return [
    ...stretch('buffer', values.bufferBefore),
    ...values.segments.flatMap(({ kind, minutes }) => stretch(kind, minutes)),
    ...stretch('buffer', values.bufferAfter),
  ];
}

/** A field of the form, and its error. */
export type Problem = { field: string; message: string };

const SEGMENT_BOUNDS = `Choose ${STEP} to ${MOST_MINUTES} minutes, in steps of ${STEP}.`;
const BUFFER_BOUNDS = `Choose 0 to ${MOST_BUFFER} minutes, in steps of ${STEP}.`;

const isLength = (minutes: number, least: number, most: number) =>
  Number.isInteger(minutes) && minutes >= least && minutes <= most && minutes % STEP === 0;

/** Errors that are known before the request. */
export function problemsOf(values: ServiceValues): Problem[] {
  const problems: Problem[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  if (values.name.trim() === '') add('name', 'Give it a name.');
  if (minorOf(values.price, values.currency) === undefined) add('price', 'Enter an amount, such as 45.');
  for (const [index, { minutes, own }] of values.segments.entries()) {
    if (!isLength(minutes, STEP, MOST_MINUTES)) add(`segments.${index}.minutes`, SEGMENT_BOUNDS);
    for (const employee of values.employees) {
      const text = own[employee];
      if (text && !isLength(Number(text), STEP, MOST_MINUTES))
        add(`segments.${index}.own.${employee}`, SEGMENT_BOUNDS);
    }
  }
  if (values.segments.at(-1)?.kind === 'processing')
    add('segments.root', 'Processing is followed by time with staff: let it not come last.');
  if (values.segments.length === 0) add('segments.root', 'It needs at least some time with staff.');
  if (!isLength(values.bufferBefore, 0, MOST_BUFFER)) add('bufferBefore', BUFFER_BOUNDS);
  if (!isLength(values.bufferAfter, 0, MOST_BUFFER)) add('bufferAfter', BUFFER_BOUNDS);
  for (const employee of values.employees) {
    const text = values.prices[employee]?.trim();
    if (text && minorOf(text, values.currency) === undefined)
      add(`prices.${employee}`, 'Enter an amount, such as 45.');
  }
  return problems;
}

const PLAIN: Readonly<Record<string, string>> = {
  name: 'name',
  category: 'category',
  price_minor: 'price',
  currency: 'currency',
  patch_test: 'patchTest',
  buffer_before_minutes: 'bufferBefore',
  buffer_after_minutes: 'bufferAfter',
};

/** Where in the form the door's name of a field stands: `service.segments[1].minutes` → `segments.1.minutes`. */
export function fieldOf(violated: string, values: ServiceValues): string | undefined {
  const name = violated.replace(/^service\./, '');
  if (PLAIN[name]) return PLAIN[name];
  const [, list = '', index = '', rest = ''] = /^(\w+)(?:\[(\d+)\])?(?:\.(\w+))?$/.exec(name) ?? [];
  switch (list) {
    case 'segments':
      return index ? `segments.${index}.minutes` : 'segments.root';
    case 'aliases':
      return 'aliases';
    case 'employee_ids':
      return 'employees';
    case 'resource_kinds':
      return 'kinds';
    case 'overrides': {
      const overrides = values.employees.filter((employee) => overrideOf(values, employee));
      const employee = overrides[Number(index)];
      if (!employee) return 'employees';
      return rest === 'price_minor' ? `prices.${employee}` : `segments.0.own.${employee}`;
    }
    default:
      return undefined;
  }
}
