import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

/** Addresses that visits start at, and the module of their page. */
const FIRST_PAGES = [
  ['^/login$', 'src/sign-in/login-page.tsx'],
  ['^/[0-9a-f]{8}-', 'src/workplace.tsx'],
  ['^/[0-9a-f-]{36}/schedule$', 'src/schedule/schedule-route.tsx'],
] as const;

const SCRIPT = fileURLToPath(new URL('../src/prefetch.ts', import.meta.url));

/** Inlines `src/prefetch.ts` into the document, with the files to preload, so that it runs before any file arrives. */
export function prefetch(): Plugin {
  return {
    name: 'frontdesk-prefetch',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entry = chunks.find(({ isEntry }) => isEntry);
        const common = entry ? withImports(bundle, entry.fileName) : new Set();
        const pages = FIRST_PAGES.map(([address, module]) => {
          const page = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/${module}`)));
          if (!page) throw new Error(`No file has ${module}.`);
          return [address, [...withImports(bundle, page.fileName)].filter((name) => !common.has(name))];
        });
        const script = await scriptFor(JSON.stringify(pages));
        // Placed after a style sheet, the script would wait for it.
        const [before, after] = split(html, '<script type="module"');
        return `${before}<script nonce="__CSP_NONCE__">${script}</script>\n    ${after}`;
      },
    },
  };
}

/** A file and its static imports. */
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
  return script.code.trim();
}
