import { Box, Flex, Stack } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '../api/action';
import { rpcQuery } from '../api/query';
import {
  DateOrder,
  type ImportColumn,
  ImportService,
  type PreviewImportResponse,
} from '../gen/frontdesk/tenancy/v1/import_pb';
import { isPassing, messageOf } from '../http/errors';
import { Reading } from '../layout/reading';
import { shortDateText } from '../time/day-text';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { CheckField } from '../ui/check-field';
import { Choice } from '../ui/choice';
import { SelectField } from '../ui/select-field';
import { RowsSkeleton } from '../ui/skeleton';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import { columnText, headingText } from './import-text';
import type { Mapping } from './send-table';
import type { OpenTable } from './use-table';

type ColumnsFormProps = {
  businessId: string;
  open: OpenTable;
  onChecked: (importId: string) => void;
  onCancel: () => void;
};

/** What each column of a table is, and in which order its dates are, where the table does not tell. */
export function ColumnsForm({ businessId, open, onChecked, onCancel }: ColumnsFormProps) {
  const { importId, partCount } = open;
  const [mapping, setMapping] = useState<Mapping | undefined>(open.mapping);
  const [order, setOrder] = useState(DateOrder.UNSPECIFIED);
  const request = { businessId, importId, partCount, ...(mapping && { mapping }) };
  const query = useQuery({
    ...rpcQuery(ImportService.method.previewImport, request),
    placeholderData: keepPreviousData,
  });
  const checking = useAction(ImportService.method.checkImport, { onDone: () => onChecked(importId) });
  const cancelling = useAction(ImportService.method.cancelImport, {
    onDone: onCancel,
    // An import that the server refuses to end is over already.
    onRefused: (error) => {
      if (!isPassing(error)) onCancel();
    },
  });
  const check = ({ openDate }: PreviewImportResponse) =>
    checking.act({ ...request, dateOrder: openDate ? order : DateOrder.UNSPECIFIED });
  const preview = query.data;
  return (
    <Card title="Columns of your table">
      <Stack gap="5">
        <Reading
          query={query}
          what="The table"
          skeleton={<RowsSkeleton rows={4} label="Reading the table" />}
        >
          {(preview) => (
            <Stack gap="5">
              <Text>Choose what each column holds. Columns that you leave out are not kept.</Text>
              <CheckField
                label="The first line names the columns"
                checked={!preview.noHeadings}
                onChange={(event) => setMapping({ fields: [], noHeadings: !event.currentTarget.checked })}
              />
              <Columns
                preview={preview}
                assigned={
                  mapping?.fields?.length ? mapping.fields : preview.columns.map(({ field }) => field)
                }
                // Other columns come where the first line becomes one of the others.
                disabled={query.isPlaceholderData && !mapping?.fields?.length}
                onAssigned={(fields) => setMapping({ fields, noHeadings: preview.noHeadings })}
              />
              {preview.faults
                .filter(({ columns }) => columns.length === 0)
                .map(({ fault }) => (
                  <Refusal key={fault}>{`The table ${fault}.`}</Refusal>
                ))}
              {preview.openDate && (
                <Choice
                  legend={`Which day is ${preview.openDate.text}?`}
                  value={order}
                  options={[
                    [DateOrder.DAY_FIRST, `${shortDateText(preview.openDate.dayFirst)} (day first)`],
                    [DateOrder.MONTH_FIRST, `${shortDateText(preview.openDate.monthFirst)} (month first)`],
                  ]}
                  onChange={setOrder}
                />
              )}
            </Stack>
          )}
        </Reading>
        <Refusal>{checking.error && messageOf(checking.error, 'The table could not be checked.')}</Refusal>
        <Refusal>
          {isPassing(cancelling.error)
            ? messageOf(cancelling.error, 'The table could not be put aside.')
            : undefined}
        </Refusal>
        <Flex gap="2" wrap="wrap">
          {preview && (
            <Button
              variant="contained"
              loading={checking.running}
              disabled={
                query.isPlaceholderData ||
                preview.faults.length > 0 ||
                (!!preview.openDate && order === DateOrder.UNSPECIFIED)
              }
              onClick={() => check(preview)}
            >
              Check the lines
            </Button>
          )}
          <Button loading={cancelling.running} onClick={() => cancelling.act({ businessId, importId })}>
            Choose another table
          </Button>
        </Flex>
      </Stack>
    </Card>
  );
}

type ColumnsProps = {
  preview: PreviewImportResponse;
  /** The field of each column: a preview may be of what was assigned before. */
  assigned: readonly string[];
  disabled: boolean;
  onAssigned: (fields: string[]) => void;
};

function Columns({ preview, assigned, disabled, onAssigned }: ColumnsProps) {
  const { columns, fields, faults } = preview;
  // Of two columns that are one field, the second says so.
  const faultAt = (at: number) => faults.find((fault) => fault.columns.at(-1) === at)?.fault;
  return (
    <Stack as="ul" gap="3" listStyleType="none" aria-label="Columns">
      {columns.map((column, at) => (
        <Flex as="li" key={at} gap="3" align="start" direction={{ base: 'column', sm: 'row' }}>
          <Described column={column} at={at} />
          <Box flex="1" width="100%">
            <SelectField
              label={`Field of ${headingText(column.heading, at)}`}
              silent
              error={faultText(faultAt(at))}
              value={assigned[at] ?? ''}
              disabled={disabled}
              onChange={(event) => onAssigned(assigned.with(at, event.currentTarget.value))}
            >
              <option value="">Leave out</option>
              {fields.map((field) => (
                <option key={field} value={field}>
                  {columnText(field)}
                </option>
              ))}
            </SelectField>
          </Box>
        </Flex>
      ))}
    </Stack>
  );
}

function Described({ column, at }: { column: ImportColumn; at: number }) {
  return (
    <Box flex="1" minWidth="0" pt={{ sm: '1' }}>
      <Text fontWeight="550" overflowWrap="anywhere">
        {headingText(column.heading, at)}
      </Text>
      <Muted fontSize="0.875rem" overflowWrap="anywhere">
        {column.examples.join(' · ') || 'Empty'}
      </Muted>
    </Box>
  );
}

const faultText = (fault: string | undefined) => fault && `The table ${fault}.`;
