import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { AgentSettingsSchema } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { saysTheSame, settingsOf, unknownOf, valuesOf } from './values';

const settings = {
  greeting: 'Hello',
  prompt: 'Be brief.',
  languages: ['de', 'en'],
  transferPhone: '+442079460018',
  mayBook: true,
  recordsCalls: true,
  recordingNotice: 'Recorded.',
  recordingDays: 90,
};

describe('the values of an agent’s settings', () => {
  it('come back as the settings', () => {
    const made = create(AgentSettingsSchema, settings);
    expect(create(AgentSettingsSchema, settingsOf(valuesOf(made)))).toEqual(made);
  });

  it('say the same as settings that they would be saved as', () => {
    const made = create(AgentSettingsSchema, settings);
    expect(saysTheSame({ ...valuesOf(made), greeting: ' Hello ' }, made)).toBe(true);
    expect(saysTheSame({ ...valuesOf(made), greeting: 'Hi' }, made)).toBe(false);
    expect(saysTheSame({ ...valuesOf(made), greeting: '' }, made)).toBe(false);
  });

  it('say nothing of recordings where none are made, and offer a notice for when they are', () => {
    const silent = { ...settings, recordsCalls: false, recordingNotice: '', recordingDays: 0 };
    const made = create(AgentSettingsSchema, silent);
    expect(valuesOf(made).recordingDays).toBe('30');
    expect(create(AgentSettingsSchema, settingsOf(valuesOf(made)))).toEqual(made);
  });
});

it('only variables that greeting or prompt name leave a gap in them', () => {
  const variables = [
    { name: '{{salon}}', value: 'Rowan' },
    { name: '{{address}}', value: '' },
    { name: '{{phone}}', value: '' },
  ];
  const said = { greeting: 'This is {{salon}}.', prompt: 'The salon is at {{address}}.' };
  expect(unknownOf(said, variables)).toEqual(['{{address}}']);
  expect(unknownOf({ ...said, prompt: '' }, variables)).toEqual([]);
});
