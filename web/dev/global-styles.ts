import { fileURLToPath } from 'node:url';
import createCache from '@emotion/cache';
import { css } from '@emotion/react';
import { type Plugin, runnerImport } from 'vite';

const THEME = fileURLToPath(new URL('../src/ui/theme.ts', import.meta.url));

const CHAKRA = '/@chakra-ui/react/dist/esm/styled-system/';

/** Where Chakra computes them in the browser at every start, which takes half of the start-up time. */
const MADE_AT_THE_START: Record<string, [made: RegExp, instead: string][]> = {
  [`${CHAKRA}system.js`]: [
    [/const _global = \[.*\];/, 'const _global = [];'],
    [/(?<=function get(?:Token|Global|Preflight)Css\(\) )\{\n[\s\S]*?\n {2}\}/g, '{}'],
    // Of what it has for others: recipes of many slots, and a list of what there is.
    [/createSlotRecipeFn\(\{ cva \}\)/, 'undefined'],
    [/(?<=function (?:get\w*Slot\w*|hasRecipe|isSlotRecipe)\(.*\) )\{\n[\s\S]*?\n {2}\}/g, '{}'],
    [/const query = \{\n[\s\S]*?\n {2}\};/, 'const query = undefined;'],
  ],
  [`${CHAKRA}provider.js`]: [
    [/(?:!sys\._config\.disableLayers && )?\/\* @__PURE__ \*\/ jsx\(Global, .*\),/g, ''],
  ],
  // The first `localeCompare` loads the locale's collation data, here only to order two media queries.
  [`${CHAKRA}sort-at-params.js`]: [[/a\.localeCompare\(b\)/g, '(a < b ? -1 : Number(a > b))']],
};

/** The theme's global styles, as the text of a style sheet. */
async function globalStyles(): Promise<string> {
  const { module } = await runnerImport<typeof import('../src/ui/theme')>(THEME, { logLevel: 'error' });
  const cache = createCache({ key: 'css' });
  const text = cache.insert('', css(module.system._global), cache.sheet, false);
  if (!text) throw new Error('The theme has no global styles.');
  return text;
}

/** Writes the theme's global styles into the style sheet, where the first paint finds them. */
export function inlineGlobalStyles(): Plugin {
  return {
    name: 'frontdesk-global-styles',
    apply: 'build',
    enforce: 'pre',
    async transform(code, id) {
      if (id.endsWith('/src/ui/base.css')) return `${code}\n${await globalStyles()}`;
      const file = Object.keys(MADE_AT_THE_START).find((name) => id.endsWith(name));
      return MADE_AT_THE_START[file ?? '']?.reduce((text, [made, instead]) => {
        if (text.search(made) < 0) throw new Error(`Chakra no longer says ${made}`);
        return text.replace(made, instead);
      }, code);
    },
  };
}
