import { describe, expect, it } from 'vitest';
import { declares } from './evidence';

const inScript = (source: string, name: string) => declares(source, { file: 'a.test.ts', name });
const inRust = (source: string, name: string) => declares(source, { file: 'a.rs', name });

describe('a test of TypeScript', () => {
  it('is found by its whole name, however it is quoted', () => {
    const source = `  it('does one', () => {});\n  it("don't", async () => {});\n  it('isn\\'t', f);\n`;
    expect(inScript(source, 'does one')).toBe(true);
    expect(inScript(source, "don't")).toBe(true);
    expect(inScript(source, "isn't")).toBe(true);
    expect(inScript(source, 'does')).toBe(false);
    expect(inScript(source, 'one')).toBe(false);
  });

  it('is found on the line after, and behind its table', () => {
    const source = `it(\n    'far away',\n  async () => {});\n  it.each([f(1), { a: (2) }])('of %s', run);\n`;
    expect(inScript(source, 'far away')).toBe(true);
    expect(inScript(source, 'of %s')).toBe(true);
  });

  it('is found as a journey, with `%s` for what its template fills in', () => {
    const source = `  for (const path of paths) {\n    test(\`at \${path}\`, async () => {});\n  }\n`;
    expect(inScript(source, 'at %s')).toBe(true);
    expect(inScript(source, 'at')).toBe(false);
  });

  it('is not found where it does not run, or is only spoken of', () => {
    const source = `it.skip('later', f);\ntest.skip('later', f);\nit.todo('never');\n// it('was', f)\nexpect('was').toBe('was');\n`;
    for (const name of ['later', 'never', 'was']) expect(inScript(source, name)).toBe(false);
  });
});

describe('a test of Rust', () => {
  const source = [
    '    #[tokio::test(flavor = "multi_thread")]',
    '    #[expect(clippy::too_many_lines)]',
    '    async fn a_token_ends() {}',
    '#[test]',
    'fn a_cell_is_so() {}',
    '#[test]',
    '#[ignore = "slow"]',
    'fn not_today() {}',
    'fn helper() {}',
    '',
  ].join('\n');

  it('is found by its attribute', () => {
    expect(inRust(source, 'a_token_ends')).toBe(true);
    expect(inRust(source, 'a_cell_is_so')).toBe(true);
  });

  it('is not found where it is ignored, a helper or half a name', () => {
    for (const name of ['not_today', 'helper', 'a_token']) expect(inRust(source, name)).toBe(false);
  });
});
