import type { MessageInitShape } from '@bufbuild/protobuf';
import { call } from '../api/call';
import {
  type ColumnMappingSchema,
  type ImportKind,
  ImportService,
} from '../gen/frontdesk/tenancy/v1/import_pb';
import { partsOf } from './parts';

const MOST_PARTS = 32;

export class TooLarge extends Error {}

export type Mapping = MessageInitShape<typeof ColumnMappingSchema>;

/** A table as a person chose it. */
export type Table = { fileName: string; text: string };

/** A table whose text is sent, and which is not checked yet. */
export type SentTable = { importId: string; partCount: number };

/** Sends a table; whether nothing about its columns and dates is open, so that it can be checked as it is. */
export async function sendTable(
  businessId: string,
  kind: ImportKind,
  table: Table,
): Promise<SentTable & { settled: boolean }> {
  const parts = partsOf(table.text);
  if (parts.length > MOST_PARTS) throw new TooLarge();
  const { import: begun } = await call(ImportService.method.createImport, {
    businessId,
    kind,
    fileName: table.fileName.slice(0, 200),
  });
  const importId = begun?.id ?? '';
  for (const [part, text] of parts.entries())
    await call(ImportService.method.putImportPart, { businessId, importId, part, text });
  const partCount = Math.max(parts.length, 1);
  const { settled } = await call(ImportService.method.previewImport, { businessId, importId, partCount });
  return { importId, partCount, settled };
}

/** Has the lines of a sent table checked, its columns being what their headings mean. */
export async function checkTable(businessId: string, { importId, partCount }: SentTable): Promise<void> {
  await call(ImportService.method.checkImport, { businessId, importId, partCount });
}
