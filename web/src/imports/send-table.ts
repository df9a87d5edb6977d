import { call } from '../api/call';
import { type Import, type ImportKind, ImportService } from '../gen/frontdesk/tenancy/v1/import_pb';
import { partsOf } from './parts';

const MOST_PARTS = 32;

export class TooLarge extends Error {}

/** Sends a table and has its lines checked. */
export async function sendTable(
  businessId: string,
  kind: ImportKind,
  table: { fileName: string; text: string },
): Promise<Import | undefined> {
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
  const checked = await call(ImportService.method.checkImport, {
    businessId,
    importId,
    partCount: Math.max(parts.length, 1),
  });
  return checked.import;
}
