import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHAKRA = 'node_modules/@chakra-ui/react/dist/esm/';

/** The sources that name styles: this product, and the parts of Chakra that it uses. */
const SOURCES = [
  'src',
  `${CHAKRA}styled-system/preflight.js`,
  ...['box', 'flex', 'grid', 'stack'].map((name) => `${CHAKRA}components/${name}`),
];

/** Libraries that pass attributes to styled components. */
const HANDS_ATTRIBUTES = [
  ...['react-hook-form/dist', '@dnd-kit/core/dist'].map((name) => `node_modules/${name}`),
  ...['merge-props.js', 'styled-system/factory.js'].map((name) => `${CHAKRA}${name}`),
];

/** Every word in these sources: a superset of the styles they name. */
function wordsOf(paths: readonly string[]): Set<string> {
  const files = paths.flatMap((path) =>
    path.endsWith('.js')
      ? [join(ROOT, path)]
      : readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /(?<!\.test)\.(tsx?|m?js)$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name))
          .filter((file) => !file.includes('/src/gen/')),
  );
  return new Set(files.flatMap((file) => readFileSync(file, 'utf8').match(/\w+/g) ?? []));
}

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Entry = Node & { key: Node & { name?: string; value?: string }; value: Node };

function walk(node: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(node)) {
    for (const child of node) walk(child, visit);
  } else if (node !== null && typeof node === 'object') {
    if ('type' in node && 'start' in node) visit(node as Node);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

const entriesOf = (object: unknown): Entry[] =>
  ((object as Node | undefined)?.properties as Entry[] | undefined) ?? [];
const nameOf = ({ key }: Entry): string => key.name ?? key.value ?? '';
const entry = (object: unknown, name: string) => entriesOf(object).find((one) => nameOf(one) === name)?.value;

/** A style's name, and the short ones it goes by. */
function namesOf(style: Entry): string[] {
  const shorthand = entry(style.value, 'shorthand');
  const names: string[] = [nameOf(style)];
  walk(shorthand, ({ type, value }) => type === 'Literal' && typeof value === 'string' && names.push(value));
  return names;
}

/** Conditions and styles of Chakra's preset whose names occur in no source. */
function unusedOf(program: unknown, words: ReadonlySet<string>): Entry[] {
  const unused: Entry[] = [];
  walk(program, (node) => {
    if (node.type !== 'CallExpression') return;
    const { name } = node.callee as { name?: string };
    const [object] = node.arguments as unknown[];
    if (name === 'defineConditions')
      unused.push(...entriesOf(object).filter((one) => !words.has(`_${nameOf(one)}`)));
    if (name === 'defineConfig')
      unused.push(
        ...entriesOf(entry(object, 'utilities')).filter(
          (one) => !namesOf(one).some((name) => words.has(name)),
        ),
      );
  });
  return unused;
}

/**
 * Removes from the build the Chakra styles that no source names, also from the lists that tell styles from
 * attributes. The result looks the same.
 */
export function usedStyles(): Plugin {
  let words: ReadonlySet<string> = new Set();
  let attributes: ReadonlySet<string> = new Set();
  return {
    name: 'frontdesk-used-styles',
    apply: 'build',
    buildStart() {
      words = wordsOf(SOURCES);
      attributes = wordsOf([...SOURCES, ...HANDS_ATTRIBUTES]);
    },
    transform(code, id) {
      if (id.endsWith('/@chakra-ui/react/dist/esm/preset-base.js')) {
        const unused = unusedOf(this.parse(code), words);
        if (unused.length === 0) throw new Error('Chakra’s preset is not written as it was.');
        return unused.reduceRight(
          (rest, { start, end }) => rest.slice(0, start) + rest.slice(end).replace(/^\s*,/, ''),
          code,
        );
      }
      if (id.endsWith('/@pandacss/is-valid-prop/dist/index.mjs')) {
        const list = /cssPropertiesStr = "([\w,]+)"/;
        if (!list.test(code)) throw new Error('The list of styles is not written as it was.');
        return code.replace(list, (_, names: string) => {
          const used = names.split(',').filter((name) => words.has(name));
          return `cssPropertiesStr = "${used.join()}"`;
        });
      }
      if (id.endsWith('/@emotion/is-prop-valid/dist/emotion-is-prop-valid.esm.js')) {
        const list = /\/\^\(\(([\w|]+)\)\|/;
        if (!list.test(code)) throw new Error('The list of attributes is not written as it was.');
        return code.replace(list, (_, names: string) => {
          const used = names.split('|').filter((name) => attributes.has(name));
          return `/^((${used.join('|')})|`;
        });
      }
      return undefined;
    },
  };
}
