import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { ImportSchema, ImportState } from '../gen/frontdesk/tenancy/v1/import_pb';
import { fieldText, linkText, shareOf, standing, waitingText } from './import-text';

const WORDS = { many: 'items', one: 'item', headings: 'name', hint: '' };
const of = (
  values: Partial<{
    state: ImportState;
    lineCount: number;
    badCount: number;
    importedCount: number;
    failedCount: number;
    checkedCount: number;
    waitingFor: string;
  }>,
) => create(ImportSchema, values);

describe('an import', () => {
  it('says how many lines can be imported', () => {
    const checked = { state: ImportState.CHECKED, lineCount: 200, checkedCount: 200 };
    expect(standing(of(checked), WORDS)).toBe('200 items can be imported.');
    expect(standing(of({ ...checked, badCount: 199 }), WORDS)).toBe(
      '1 item can be imported, 199 of 200 lines can’t.',
    );
  });

  it('says how many lines were left out once it is done', () => {
    const done = { state: ImportState.DONE, lineCount: 7, importedCount: 2 };
    expect(standing(of({ ...done, lineCount: 2 }), WORDS)).toBe('Imported 2 items.');
    expect(standing(of({ ...done, badCount: 5 }), WORDS)).toBe(
      'Imported 2 items. 5 of 7 lines were left out.',
    );
    expect(standing(of({ ...done, badCount: 1, failedCount: 4 }), WORDS)).toBe(
      'Imported 2 items; 4 could not be. 1 of 7 lines was left out.',
    );
  });

  it('counts lines where a record may take several', () => {
    const checked = of({ state: ImportState.CHECKED, lineCount: 3, badCount: 2 });
    expect(standing(checked, { ...WORDS, severalLines: true })).toBe(
      '1 line can be imported, 2 of 3 lines can’t.',
    );
  });

  it('says with whose account an employee is linked, and that it will be', () => {
    expect(linkText('Ana Ash', false)).toBe('Will be linked to Ana Ash’s account');
    expect(linkText('Ana Ash', true)).toBe('Linked to Ana Ash’s account');
    expect(linkText('', true)).toBe('');
  });

  it('is as far as its good lines are', () => {
    const importing = of({
      state: ImportState.IMPORTING,
      lineCount: 10,
      badCount: 2,
      importedCount: 3,
      failedCount: 1,
    });
    expect(shareOf(importing)).toBe(0.5);
    expect(standing(importing, WORDS)).toBe('Importing: 3 of 8');
    expect(shareOf(of({ state: ImportState.CHECKING, lineCount: 0 }))).toBe(0);
  });

  it('says what it waits for', () => {
    expect(waitingText(of({}))).toBeUndefined();
    expect(waitingText(of({ waitingFor: 'auth' }))).toContain(
      'the service that invites, which does not answer',
    );
    expect(waitingText(of({ waitingFor: 'scheduling' }))).toContain('Waiting for the service that books');
    expect(waitingText(of({ waitingFor: 'next-try' }))).toContain('The last try failed');
  });

  it('says why the lines of one that no one started are gone', () => {
    expect(standing(of({ state: ImportState.EXPIRED, lineCount: 3 }), WORDS)).toContain(
      'Not started within a day',
    );
  });

  it('says what stays when it is cancelled', () => {
    expect(standing(of({ state: ImportState.CANCELLED }), WORDS)).toBe('Cancelled. Nothing was imported.');
    expect(standing(of({ state: ImportState.CANCELLED, importedCount: 1 }), WORDS)).toContain(
      '1 item, which stay',
    );
  });
});

it('begins a column’s name as a sentence, and writes it as people do', () => {
  expect(['low_stock', 'sku', 'email'].map(fieldText)).toEqual(['Low stock', 'SKU', 'E-mail']);
});
