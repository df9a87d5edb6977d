import { create, equals, type MessageInitShape } from '@bufbuild/protobuf';
import * as z from 'zod/mini';
import { type AgentSettings, AgentSettingsSchema } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';

export const LANGUAGES = [
  ['en', 'English'],
  ['de', 'German'],
  ['en de', 'English, and German'],
  ['de en', 'German, and English'],
] as const;

export const SWITCHES = [
  ['mayBook', 'Book visits'],
  ['mayMove', 'Move visits'],
  ['mayCancel', 'Cancel visits'],
  ['mayJoinWaitlist', 'Put callers on the waitlist'],
  ['mayTakeMessages', 'Take messages'],
  ['mayQuotePrices', 'Say what services cost'],
] as const;

export const fields = z.object({
  greeting: z.string().check(z.trim(), z.minLength(1, 'Say what the agent says first.')),
  prompt: z.string().check(z.trim(), z.minLength(1, 'Say what the agent is told.')),
  languages: z.string(),
  transferPhone: z.string(),
  mayBook: z.boolean(),
  mayMove: z.boolean(),
  mayCancel: z.boolean(),
  mayJoinWaitlist: z.boolean(),
  mayTakeMessages: z.boolean(),
  mayQuotePrices: z.boolean(),
  recordsCalls: z.boolean(),
  recordingNotice: z.string(),
  recordingDays: z.string(),
});

export type AgentFields = z.infer<typeof fields>;

const NOTICE = 'This call is recorded, so that we can look after you better.';
const DAYS = 30;

/** The form's values of settings. */
export function valuesOf(settings: AgentSettings): AgentFields {
  const { languages, recordsCalls, recordingNotice, recordingDays, ...rest } = settings;
  return {
    greeting: rest.greeting,
    prompt: rest.prompt,
    languages: languages.join(' '),
    transferPhone: rest.transferPhone,
    mayBook: rest.mayBook,
    mayMove: rest.mayMove,
    mayCancel: rest.mayCancel,
    mayJoinWaitlist: rest.mayJoinWaitlist,
    mayTakeMessages: rest.mayTakeMessages,
    mayQuotePrices: rest.mayQuotePrices,
    recordsCalls,
    recordingNotice: recordingNotice || NOTICE,
    recordingDays: String(recordingDays || DAYS),
  };
}

/** The settings of the form's values. */
export function settingsOf(values: AgentFields): MessageInitShape<typeof AgentSettingsSchema> {
  const { languages, recordsCalls, recordingNotice, recordingDays, ...rest } = values;
  return {
    ...rest,
    languages: languages.split(' '),
    recordsCalls,
    ...(recordsCalls && { recordingNotice, recordingDays: Math.trunc(Number(recordingDays)) || 0 }),
  };
}

/** Whether the form's values would be saved as these settings. */
export function saysTheSame(values: AgentFields, settings: AgentSettings): boolean {
  const { success, data } = fields.safeParse(values);
  const made = (filled: AgentFields) => create(AgentSettingsSchema, settingsOf(filled));
  return success && equals(AgentSettingsSchema, made(data), made(valuesOf(settings)));
}

/** Settings as people call them. */
export const SETTING_NAME: Readonly<Record<string, string>> = {
  greeting: 'Greeting',
  prompt: 'Prompt',
  languages: 'Languages',
  transfer_phone: 'Number to pass callers on to',
  may_book: 'Book visits',
  may_move: 'Move visits',
  may_cancel: 'Cancel visits',
  may_join_waitlist: 'Put callers on the waitlist',
  may_take_messages: 'Take messages',
  may_quote_prices: 'Say what services cost',
  records_calls: 'Record calls',
  recording_notice: 'Notice before a recording',
  recording_days: 'Days that recordings are kept',
};

/** Which variables greeting or prompt name although nothing is known for them. */
export function unknownOf(
  { greeting = '', prompt = '' }: { greeting?: string; prompt?: string },
  variables: readonly { name: string; value: string }[],
): string[] {
  return variables
    .filter(({ name, value }) => value === '' && (greeting.includes(name) || prompt.includes(name)))
    .map(({ name }) => name);
}
