import { Box } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '../api/action';
import { fetchedAhead } from '../api/fetched-ahead';
import { undoRecordAction } from '../business/undo-change';
import type { Customer } from '../gen/frontdesk/tenancy/v1/customer_pb';
import { CustomerRecordService, type Formula } from '../gen/frontdesk/tenancy/v1/customer_record_pb';
import { messageOf } from '../http/errors';
import { TextLink } from '../layout/links';
import { Reading } from '../layout/reading';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { RowsSkeleton } from '../ui/skeleton';
import { Muted, Text } from '../ui/text';
import { toasts } from '../ui/toasts';
import { formulasQuery } from './queries';
import { RecordRow } from './record-row';
import { dayText } from './record-text';

const FormulaDialog = fetchedAhead(() =>
  import('./formula-dialog').then(({ FormulaDialog }) => FormulaDialog),
);

type CardProps = { businessId: string; customer: Customer; zone: string };

/** What was mixed for a customer, the latest first. */
export function FormulasCard({ businessId, customer, zone }: CardProps) {
  const [adding, setAdding] = useState(false);
  const query = useQuery(formulasQuery(businessId, customer.id));
  return (
    <Card
      title="Formulas"
      action={
        <Button onClick={() => setAdding(true)}>
          <Plus size={18} aria-hidden />
          Add formula
        </Button>
      }
    >
      <Reading
        query={query}
        what="The formulas"
        skeleton={<RowsSkeleton rows={1} label="Loading formulas" />}
      >
        {({ formulas }) =>
          formulas.length === 0 ? (
            <Muted>No formula on record.</Muted>
          ) : (
            <Box as="ul" listStyleType="none" aria-label="Formulas">
              {formulas.map((formula) => (
                <Row key={formula.id} businessId={businessId} customer={customer} formula={formula} />
              ))}
            </Box>
          )
        }
      </Reading>
      {adding && (
        <FormulaDialog
          businessId={businessId}
          customer={customer}
          zone={zone}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}

type RowProps = { businessId: string; customer: Customer; formula: Formula };

function Row({ businessId, customer: { id: customerId, name }, formula }: RowProps) {
  const queries = useQueryClient();
  const { act, running, error } = useAction(CustomerRecordService.method.deleteFormula, {
    onDone: ({ changeId }) => {
      void queries.invalidateQueries({ queryKey: formulasQuery(businessId, customerId).queryKey });
      toasts.show(
        'good',
        `Deleted the formula of ${dayText(formula.mixedOn)} for ${name}.`,
        undoRecordAction(businessId, changeId, `The formula of ${name} is back.`),
      );
    },
  });
  return (
    <RecordRow
      what={`formula of ${dayText(formula.mixedOn)}`}
      kind="formula"
      signature={['Mixed', dayText(formula.mixedOn), formula.authorName && `by ${formula.authorName}`]
        .filter(Boolean)
        .join(' ')}
      running={running}
      refused={error && messageOf(error, 'The formula could not be deleted.')}
      onDelete={() => act({ businessId, customerId, formulaId: formula.id })}
    >
      <Text whiteSpace="pre-wrap" overflowWrap="anywhere">
        {formula.text}
      </Text>
      {formula.appointmentId && (
        <TextLink to={paths.appointment(businessId, formula.appointmentId)}>The visit</TextLink>
      )}
    </RecordRow>
  );
}
