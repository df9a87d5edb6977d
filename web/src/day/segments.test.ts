import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { SegmentKind, ServiceSchema } from '../gen/frontdesk/scheduling/v1/catalogue_pb';
import { stretchesOf, stretchesText, visitMinutes } from './segments';

const colour = create(ServiceSchema, {
  segments: [
    { kind: SegmentKind.ACTIVE, minutes: 30 },
    { kind: SegmentKind.PROCESSING, minutes: 35 },
    { kind: SegmentKind.ACTIVE, minutes: 25 },
  ],
  bufferAfterMinutes: 10,
});

describe('the course of a service', () => {
  it('runs from buffer to buffer', () => {
    expect(stretchesOf(colour).map(({ kind }) => kind)).toEqual(['active', 'processing', 'active', 'buffer']);
  });

  it('lasts as long as the customer sits there', () => {
    expect(visitMinutes(colour)).toBe(90);
  });

  it('can be read aloud', () => {
    expect(stretchesText(stretchesOf(colour))).toBe(
      '30 min with staff, 35 min processing, 25 min with staff, 10 min kept free',
    );
  });
});
