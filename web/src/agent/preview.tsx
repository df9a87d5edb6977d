import { chakra, Stack } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ComponentProps } from 'react';
import { rpcQuery } from '../api/query';
import { AgentSettingsService, type AgentVariable } from '../gen/frontdesk/tenancy/v1/agent_settings_pb';
import { fieldErrorsOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { RowsSkeleton } from '../ui/skeleton';
import { Note, Refusal } from '../ui/states';
import { Table } from '../ui/table';
import { H3, Text } from '../ui/text';
import { type settingsOf, unknownOf } from './values';

type PreviewProps = {
  businessId: string;
  settings: ReturnType<typeof settingsOf>;
};

const Rendered = (props: ComponentProps<typeof chakra.div>) => (
  <chakra.div
    whiteSpace="pre-wrap"
    overflowWrap="anywhere"
    bg="bg.sunken"
    borderRadius="button"
    p="4"
    fontSize="0.9375rem"
    {...props}
  />
);

type UnknownProps = Pick<PreviewProps, 'settings'> & { variables: readonly AgentVariable[] };

/** Says which variables leave a gap in what is spoken. */
function Unknown({ settings, variables }: UnknownProps) {
  const unknown = unknownOf(settings, variables);
  if (unknown.length === 0) return null;
  const list = new Intl.ListFormat('en-GB').format(unknown);
  return (
    <Note tone="warn" icon={CircleAlert}>
      Nothing is known for {list}, so the text has a gap there. Enter it under Details, or take it out of the
      text.
    </Note>
  );
}

/** Greeting and prompt with the values of today, and the variables there are. */
export function Preview({ businessId, settings }: PreviewProps) {
  const query = useQuery(
    rpcQuery(AgentSettingsService.method.previewAgentSettings, { businessId, settings }),
  );
  // Sentences that name their field.
  const faults = Object.values(fieldErrorsOf(query.error));
  if (faults.length > 0) return <Refusal>{faults.join(' ')}</Refusal>;
  return (
    <Reading
      query={query}
      what="The preview"
      skeleton={<RowsSkeleton rows={3} label="Loading the preview" />}
    >
      {({ greeting, prompt, variables }) => (
        <Stack as="section" aria-label="Preview" gap="4">
          <H3>What it says first</H3>
          <Rendered>{greeting}</Rendered>
          <H3>What it is told</H3>
          <Rendered>{prompt}</Rendered>
          <Unknown settings={settings} variables={variables} />
          <H3>Variables</H3>
          <Table label="Variables that greeting and prompt may name" stacked>
            <thead>
              <tr>
                <th scope="col">Variable</th>
                <th scope="col">Meaning</th>
                <th scope="col">Now</th>
              </tr>
            </thead>
            <tbody>
              {variables.map(({ name, meaning, value }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{meaning}</td>
                  <td data-label="Now">{value || <Text as="span">Not known</Text>}</td>
                </tr>
              ))}
            </tbody>
          </Table>
        </Stack>
      )}
    </Reading>
  );
}
