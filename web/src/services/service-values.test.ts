import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { SegmentKind, ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import {
  fieldOf,
  newService,
  problemsOf,
  type ServiceValues,
  serviceOf,
  stretchesOfValues,
  valuesOf,
} from './service-values';

const colour = create(ServiceSchema, {
  name: 'Full colour',
  category: 'Colour',
  segments: [
    { kind: SegmentKind.ACTIVE, minutes: 30 },
    { kind: SegmentKind.PROCESSING, minutes: 35 },
    { kind: SegmentKind.ACTIVE, minutes: 25 },
  ],
  bufferAfterMinutes: 10,
  priceMinor: 9850,
  currency: 'GBP',
  aliases: ['dye'],
  employeeIds: ['ada', 'tom', 'jin'],
  overrides: [
    { employeeId: 'ada', segmentMinutes: [40, 35, 25] },
    { employeeId: 'jin', segmentMinutes: [], priceMinor: 8000 },
  ],
  resourceKinds: ['chair'],
});

describe('a service in its form', () => {
  it('comes out as it went in', () => {
    expect(create(ServiceSchema, serviceOf(valuesOf(colour)))).toEqual(colour);
  });

  it('keeps each person’s own length with its stretch, wherever that is moved', () => {
    const values = valuesOf(colour);
    const [first, second, third] = values.segments;
    if (!first || !second || !third) throw new Error('three stretches');
    const moved = serviceOf({ ...values, segments: [third, second, first] });
    expect(moved.overrides?.[0]?.segmentMinutes).toEqual([25, 35, 40]);
  });

  it('drops the lengths of an employee who no longer does it', () => {
    expect(serviceOf({ ...valuesOf(colour), employees: ['tom'] }).overrides).toEqual([]);
  });

  it('is drawn while a length is missing', () => {
    const values = newService('GBP');
    const segments = [...values.segments, { kind: 'processing' as const, minutes: Number.NaN, own: {} }];
    expect(stretchesOfValues({ ...values, segments, bufferAfter: 5 })).toEqual([
      { kind: 'active', minutes: 45 },
      { kind: 'buffer', minutes: 5 },
    ]);
  });
});

describe('what is wrong with a service', () => {
  it('is nothing where nothing is', () => {
    expect(problemsOf(valuesOf(colour))).toEqual([]);
  });

  it('is shown at the field', () => {
    const values: ServiceValues = {
      ...newService('GBP'),
      price: 'much',
      bufferBefore: 7,
      employees: ['ada'],
      prices: { ada: '-1' },
      segments: [
        { kind: 'active', minutes: 12, own: { ada: '3' } },
        { kind: 'processing', minutes: 30, own: {} },
      ],
    };
    expect(problemsOf(values).map(({ field }) => field)).toEqual([
      'name',
      'price',
      'segments.0.minutes',
      'segments.0.own.ada',
      'segments.root',
      'bufferBefore',
      'prices.ada',
    ]);
  });

  it('is at the field that the server names', () => {
    const values = valuesOf(colour);
    expect(
      [
        'service.name',
        'service.price_minor',
        'service.segments[1].minutes',
        'service.segments',
        'service.aliases[3]',
        'service.resource_kinds[0]',
        'service.overrides[1].price_minor',
        'service.overrides[0].segment_minutes',
        'nothing',
      ].map((violated) => fieldOf(violated, values)),
    ).toEqual([
      'name',
      'price',
      'segments.1.minutes',
      'segments.root',
      'aliases',
      'kinds',
      'prices.jin',
      'segments.0.own.ada',
      undefined,
    ]);
  });
});
