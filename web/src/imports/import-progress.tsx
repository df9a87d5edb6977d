import { Flex, Stack } from '@chakra-ui/react';
import { useQueryClient } from '@tanstack/react-query';
import { Hourglass } from 'lucide-react';
import type { ReactNode } from 'react';
import { may } from '../api/access';
import { useAction } from '../api/action';
import { methodKey } from '../api/query';
import { useBusinessRole } from '../business/queries';
import { AuditAccess } from '../gen/access';
import {
  type Import,
  ImportLineState,
  ImportService,
  ImportState,
} from '../gen/frontdesk/tenancy/v1/import_pb';
import { messageOf } from '../http/errors';
import { ButtonLink } from '../layout/links';
import { paths } from '../paths';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { Meter } from '../ui/meter';
import { Note, Refusal } from '../ui/states';
import { Text } from '../ui/text';
import { ImportLines } from './import-lines';
import { countedText, shareOf, standing, waitingText } from './import-text';
import type { ImportWords } from './import-words';
import { isRunning } from './queries';

type ImportProgressProps = {
  businessId: string;
  shown: Import;
  columns: string[];
  /** What the columns of its table were read as. */
  readColumns: ReactNode;
  words: ImportWords;
  done: ReactNode;
  onAgain: () => void;
};

/** Where an import stands, the lines that can't be imported, and what can be done next. */
export function ImportProgress(props: ImportProgressProps) {
  const { businessId, shown, columns, readColumns, words, done, onAgain } = props;
  const { state, badCount, failedCount } = shown;
  const waiting = waitingText(shown);
  return (
    <Stack gap="6">
      <Card
        title={shown.fileName || `Pasted ${words.many}`}
        action={<ChangesLink businessId={businessId} importId={shown.id} />}
      >
        <Stack gap="4">
          <Text role="status" fontWeight="600">
            {standing(shown, words)}
          </Text>
          {isRunning(state) && <Meter share={shareOf(shown)} label={standing(shown, words)} />}
          {waiting && (
            <Note tone="warn" icon={Hourglass}>
              {waiting}
            </Note>
          )}
          <Decisions businessId={businessId} shown={shown} words={words} done={done} onAgain={onAgain} />
        </Stack>
      </Card>
      {state === ImportState.CHECKED && readColumns}
      {badCount > 0 && state !== ImportState.EXPIRED && (
        <ImportLines
          title="Lines that can’t be imported"
          businessId={businessId}
          importId={shown.id}
          state={ImportLineState.BAD}
          columns={columns}
          fileName={shown.fileName}
        />
      )}
      {failedCount > 0 && (
        <ImportLines
          title="Lines that failed"
          businessId={businessId}
          importId={shown.id}
          state={ImportLineState.FAILED}
          columns={columns}
          fileName={shown.fileName}
        />
      )}
      {state === ImportState.CHECKED && shown.lineCount > badCount && (
        <ImportLines
          title="Lines that can be imported"
          businessId={businessId}
          importId={shown.id}
          state={ImportLineState.GOOD}
          columns={columns}
          fileName={shown.fileName}
        />
      )}
      {state === ImportState.DONE && shown.importedCount > 0 && (
        <ImportLines
          title="Imported lines"
          businessId={businessId}
          importId={shown.id}
          state={ImportLineState.IMPORTED}
          columns={columns}
          fileName={shown.fileName}
        />
      )}
    </Stack>
  );
}

/** Leads to who began, started and ended it. */
function ChangesLink({ businessId, importId }: { businessId: string; importId: string }) {
  const role = useBusinessRole(businessId);
  if (role.kind !== 'member' || !may(AuditAccess.listAuditEntries, role.role)) return null;
  return (
    <ButtonLink variant="quiet" to={paths.audit(businessId, importId)}>
      Changes
    </ButtonLink>
  );
}

type DecisionsProps = Omit<ImportProgressProps, 'columns' | 'readColumns'>;

function Decisions({ businessId, shown, words, done, onAgain }: DecisionsProps) {
  const queries = useQueryClient();
  const onDone = () =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        String(queryKey[0]).startsWith(methodKey(ImportService.method.getImport).split('/')[0] ?? ''),
    });
  const starting = useAction(ImportService.method.startImport, { onDone, onRefused: onDone });
  const cancelling = useAction(ImportService.method.cancelImport, { onDone, onRefused: onDone });
  const request = { businessId, importId: shown.id };
  const error = starting.error ?? cancelling.error;
  const good = shown.lineCount - shown.badCount;
  const isExpired = shown.state === ImportState.EXPIRED;
  const isOver = isExpired || shown.state === ImportState.DONE || shown.state === ImportState.CANCELLED;
  return (
    <>
      <Refusal>{error && messageOf(error, 'The import could not be changed.')}</Refusal>
      <Flex gap="2" wrap="wrap" align="center">
        {shown.state === ImportState.CHECKED && good > 0 && (
          <Button variant="contained" loading={starting.running} onClick={() => starting.act(request)}>
            Import {countedText(good, words)}
          </Button>
        )}
        {isRunning(shown.state) && shown.waitingFor && (
          <Button loading={starting.running} onClick={() => starting.act(request)}>
            Try now
          </Button>
        )}
        {!isOver && (
          <Button loading={cancelling.running} onClick={() => cancelling.act(request)}>
            {shown.state === ImportState.IMPORTING ? 'Stop importing' : 'Cancel'}
          </Button>
        )}
        {isOver && !isExpired && done}
        {(isOver || (shown.state === ImportState.CHECKED && good === 0)) && (
          <Button onClick={onAgain}>Import another table</Button>
        )}
      </Flex>
    </>
  );
}
