/** The test of a line: its file from the repository's root, and its exact name. */
export type Test = { file: string; name: string };

/** Names the tests of one file. */
export function testsOf(file: string): (...names: string[]) => Test[] {
  return (...names) => names.map((name) => ({ file, name }));
}

/** Whether a file declares a test of this name that runs. */
export function declares(source: string, { file, name }: Test): boolean {
  return (file.endsWith('.rs') ? rustTests(source) : scriptTests(source)).has(name);
}

function rustTests(source: string): Set<string> {
  const declared = source.matchAll(/((?:^\s*#\[[^\n]*\]\n)+)\s*(?:async )?fn (\w+)/gm);
  return new Set(
    [...declared]
      .filter(
        ([, attributes = '']) => /#\[(?:tokio::)?test\b/.test(attributes) && !/#\[ignore/.test(attributes),
      )
      .map(([, , name = '']) => name),
  );
}

/** Vitest’s `it` and Playwright’s `test`, neither `skip` nor `todo`. A template’s expressions read as `%s`. */
function scriptTests(source: string): Set<string> {
  const declared = source.matchAll(
    /^\s*(?:it(?:\.each\((?:(?!^\s*it)[\s\S])*?\))?|test)\(\s*(?:'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`([^`]*)`)/gm,
  );
  return new Set(
    [...declared].map(([, single, double, template]) =>
      (single ?? double ?? template?.replace(/\$\{[^}]*\}/g, '%s') ?? '').replace(/\\(.)/g, '$1'),
    ),
  );
}
