import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

/** Addresses that are come to first, and the module of their page. */
const FIRST_PAGES = [
  ['^/login$', 'src/session/login-page.tsx'],
  ['^/[0-9a-f]{8}-', 'src/shell/workplace.tsx'],
  ['^/[0-9a-f-]{36}/schedule$', 'src/schedule/schedule-route.tsx'],
] as const;

const SCRIPT = fileURLToPath(new URL('../src/ahead.ts', import.meta.url));

/** Writes `src/ahead.ts` into the document, with the files it asks for: what runs there waits for no file. */
export function ahead(): Plugin {
  return {
    name: 'frontdesk-ahead',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entry = chunks.find(({ isEntry }) => isEntry);
        const sooner = entry ? withImports(bundle, entry.fileName) : new Set();
        const pages = FIRST_PAGES.map(([address, module]) => {
          const page = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
          if (!page) throw new Error(`No file has ${module}.`);
          return [address, [...withImports(bundle, page.fileName)].filter((name) => !sooner.has(name))];
        });
        const script = await scriptFor(JSON.stringify(pages));
        // After a style sheet it would wait for that.
        const [before, after] = split(html, '<script type="module"');
        return `${before}<script nonce="__CSP_NONCE__">${script}</script>\n    ${after}`;
      },
    },
  };
}

/** A file and all it imports, and not only once that is asked for. */
function withImports(bundle: Rolldown.OutputBundle, name: string, seen = new Set<string>()): Set<string> {
  const file = bundle[name];
  if (file?.type !== 'chunk' || seen.has(name)) return seen;
  seen.add(name);
  for (const imported of file.imports) withImports(bundle, imported, seen);
  return seen;
}

function split(html: string, mark: string): [string, string] {
  const at = html.indexOf(mark);
  if (at < 0) throw new Error(`The document has no ${mark}.`);
  return [html.slice(0, at), html.slice(at)];
}

async function scriptFor(firstPages: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define: { FIRST_PAGES: firstPages },
    build: {
      write: false,
      target: 'es2023',
      rolldownOptions: { input: SCRIPT, output: { format: 'iife' } },
    },
  });
  const [script] = [output].flat().flatMap((built) => ('output' in built ? built.output : []));
  if (script?.type !== 'chunk') throw new Error('The script for the document was not built.');
  // The document is written by what answers it, which fills in what it knows.
  return script.code.trim();
}
