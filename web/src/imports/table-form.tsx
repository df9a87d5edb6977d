import { Flex, Stack } from '@chakra-ui/react';
import { Download, FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { LeaveGuard } from '../layout/leave-guard';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { TextArea } from '../ui/field';
import { saveTable } from '../ui/save-file';
import { Refusal } from '../ui/states';
import { Muted, Text } from '../ui/text';
import type { ImportWords } from './import-words';
import type { Table } from './send-table';
import { noTableText, tableText } from './table-text';

type TableFormProps = {
  words: ImportWords;
  sending: boolean;
  refused: string | undefined;
  onSend: (table: Table) => Promise<void>;
};

/** A file to choose, or lines to paste. */
export function TableForm({ words, sending, refused, onSend }: TableFormProps) {
  const file = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState('');
  const [unread, setUnread] = useState<string>();
  const choose = async (chosen: File | undefined) => {
    // The list of files is gone with the value.
    if (file.current) file.current.value = '';
    if (!chosen) return;
    const content = await chosen.arrayBuffer().catch(() => undefined);
    const fault = content ? noTableText(content) : 'This file can’t be read. Choose it again.';
    setUnread(fault);
    if (content && !fault) await onSend({ fileName: chosen.name, text: tableText(content) });
  };
  return (
    <Card title="Your table">
      <Stack gap="4">
        <Text as="div">{words.hint}</Text>
        <Muted>
          The first line names the columns: {words.headings}. If your columns have other names, you choose
          what each of them is. You see which lines have faults before anything is imported.
        </Muted>
        <input
          ref={file}
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          aria-label={`Table of ${words.many}`}
          hidden
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
        <Flex gap="2" wrap="wrap">
          <Button variant="contained" loading={sending} onClick={() => file.current?.click()}>
            <FileUp size={20} aria-hidden />
            Choose a CSV file
          </Button>
          <Button
            onClick={() => saveTable(`${words.many}.csv`, `${words.headings.replaceAll(', ', ',')}\r\n`)}
          >
            <Download size={18} aria-hidden />
            Empty table
          </Button>
        </Flex>
        <TextArea
          label="Or paste lines"
          hint={
            words.pasted
              ? 'Straight from a spreadsheet, one person a line. Without headings, keep the columns in the order above.'
              : 'Straight from a spreadsheet, with its line of headings.'
          }
          rows={6}
          value={pasted}
          disabled={sending}
          onChange={(event) => setPasted(event.currentTarget.value)}
        />
        <Refusal>{unread ?? refused}</Refusal>
        {pasted.trim() !== '' && !sending && <LeaveGuard />}
        <Flex>
          <Button
            variant="tinted"
            loading={sending}
            disabled={pasted.trim() === ''}
            onClick={() => {
              setUnread(undefined);
              void onSend({ fileName: '', text: pasted });
            }}
          >
            Check the lines
          </Button>
        </Flex>
      </Stack>
    </Card>
  );
}
