import { describe, expect, it } from 'vitest';
import { sentencesOf, statementsOf } from './split';

describe('a specification', () => {
  it('says what its sections say, and nothing of the text before them', () => {
    const text = '# Title\n\nBefore.\n\n## 1. One\n\nFirst. Second.\n\n## 2. Two\n\nThird.\n';
    expect(statementsOf(text)).toEqual([
      { section: 1, line: 'First.' },
      { section: 1, line: 'Second.' },
      { section: 2, line: 'Third.' },
    ]);
  });

  it('says each sentence of a list by itself, and what leads to it', () => {
    const text = '## 4. States\n\nThe start:\n- One. Two.\n- Three\n1. Four.\n\nSteps:\n10. Ten.\n';
    expect(statementsOf(text).map(({ line }) => line)).toEqual([
      'The start:',
      'One.',
      'Two.',
      'Three',
      'Four.',
      'Steps:',
      'Ten.',
    ]);
  });

  it('goes on where a line was only broken', () => {
    expect(
      statementsOf('## 3. Fields\n\nA sentence\nof two lines. Another.\n').map(({ line }) => line),
    ).toEqual(['A sentence of two lines.', 'Another.']);
  });

  it('says every cell of a table under its row and column', () => {
    const text = '## 9. Limits\n\n| Setting | Production | Test |\n|---|---|---|\n| Block | 60 min | n/a |\n';
    expect(statementsOf(text).map(({ line }) => line)).toEqual([
      'Block / Production: 60 min',
      'Block / Test: n/a',
    ]);
  });

  it('names a call by method and path', () => {
    const text = '## 7. Calls\n\n| Method | Path | Payload |\n|---|---|---|\n| GET | /auth/me | none |\n';
    expect(statementsOf(text).map(({ line }) => line)).toEqual(['GET /auth/me / Payload: none']);
  });

  it('is refused when a section or a row cannot be read', () => {
    expect(() => statementsOf('## Unnumbered\n\nWords.\n')).toThrow('no number');
    expect(() => statementsOf('## 2. T\n\n| A | B |\n|---|---|\n| one |\n')).toThrow('not of its table');
  });
});

describe('sentences', () => {
  it('end with a full stop, not within numbers, addresses or quoted words', () => {
    expect(sentencesOf('Version 1.5 at localhost:8080. See a.b.')).toEqual([
      'Version 1.5 at localhost:8080.',
      'See a.b.',
    ]);
    expect(sentencesOf("It says 'One. Two.' and stops. Next.")).toEqual([
      "It says 'One. Two.' and stops.",
      'Next.',
    ]);
  });

  it('end with a quotation that ends', () => {
    expect(sentencesOf("It reads 'You don't have it.' Then more.")).toEqual([
      "It reads 'You don't have it.'",
      'Then more.',
    ]);
  });

  it('are not put off by apostrophes', () => {
    expect(sentencesOf("The user's list. The route's role.")).toEqual([
      "The user's list.",
      "The route's role.",
    ]);
    expect(sentencesOf("'We're on it. Later.' is shown. End.")).toEqual([
      "'We're on it. Later.' is shown.",
      'End.',
    ]);
  });

  it('need no full stop at the very end', () => {
    expect(sentencesOf('One. Two: three')).toEqual(['One.', 'Two: three']);
  });
});
