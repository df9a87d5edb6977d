import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { prefetch } from './dev/prefetch.ts';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** The address of the server behind Vite's proxy. */
const DOOR = process.env.FRONTDESK_DOOR ?? 'http://localhost:8080';

/** Fills the placeholders that the server otherwise fills per answer. */
function developmentRuntime(): Plugin {
  const configuration = {
    apiBaseUrl: '/api',
    webSocketUrl: '/ws',
    environment: 'development',
    renewalThresholdMs: 10 * 60_000,
    reports: { vitals: false, traces: false },
    version: 'dev',
  };
  return {
    name: 'frontdesk-development-runtime',
    apply: 'serve',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html
          .replaceAll('__CSP_NONCE__', 'development')
          .replace('__RUNTIME_CONFIG__', JSON.stringify(configuration)),
    },
  };
}

/** Modules of the start, and those that both the sign-in and the workplace need. */
const EVERY_PAGE = [
  'main.tsx',
  'session/roles.ts',
  'layout/waiting.tsx',
  'layout/links.tsx',
  'ui/states.tsx',
  'ui/use-now.ts',
];

/** Modules of every page with queries; the sign-in has none. */
const QUERIES = ['api/query-provider.tsx'];

/** The frame behind the sign-in, and its first page. */
const HOME = ['workplace.tsx', 'home/home-page.tsx'];

const modules = (names: readonly string[]) => (id: string) =>
  names.some((name) => id.endsWith(`/src/${name}`));

const DESCRIPTOR = /fileDesc\("([A-Za-z0-9+/]+)"/g;

/** Writes the contract's descriptors as bytes, since base64 hides repeated names from compression. */
function compressibleDescriptors(): Plugin {
  return {
    name: 'frontdesk-compressible-descriptors',
    apply: 'build',
    transform: {
      filter: { code: 'fileDesc("' },
      handler: (code) =>
        code.replace(DESCRIPTOR, (_, base64: string) => `fileDesc(btoa(${JSON.stringify(atob(base64))})`),
    },
  };
}

/** The door sends these beside the originals: compressing once beats compressing per request. */
function precompressed(): Plugin {
  return {
    name: 'frontdesk-precompressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name));
      for (const name of names) {
        const path = join(dir, name);
        const content = await readFile(path);
        await writeFile(`${path}.br`, await brotli(content));
        await writeFile(`${path}.gz`, await gzipped(content));
      }
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [react(), developmentRuntime(), prefetch(), compressibleDescriptors(), precompressed()],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    // One folder per mode, so that neither build is mistaken for the other.
    outDir: `dist/${mode}`,
    manifest: true,
    // Browsers that support es2023 preload modules natively.
    modulePreload: { polyfill: false },
    target: 'es2023',
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // No bundled getter has a side effect.
        propertyReadSideEffects: false,
        // Its package does not say that it has none.
        moduleSideEffects: [{ test: /\/node_modules\/hoist-non-react-statics\//, sideEffects: false }],
        // The router's warnings to developers.
        manualPureFunctions: ['warnOnce', 'warning'],
      },
      output: {
        // Files contain each other's names, and hashes do not compress: 36 bits are enough to tell versions apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        hashCharacters: 'base36',
        // Few files compress better than many. A group holds its modules and, of all that these
        // import, what is used: every page waits for the first, whatever reads for the second, every page behind the
        // sign-in for all three.
        codeSplitting: {
          groups: [
            { name: 'base', test: modules(EVERY_PAGE), priority: 3 },
            { name: 'queries', test: modules(QUERIES), priority: 2 },
            { name: 'workplace', test: modules(HOME), priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 3000,
    strictPort: true,
    // The server accepts only its own origin.
    proxy: {
      '/api': { target: DOOR, headers: { Origin: DOOR } },
      '/oauth2': {
        target: DOOR,
        headers: { Origin: DOOR },
        // The provider's flow redirects back to Vite.
        rewrite: (path) =>
          path === '/oauth2/authorization/google' ? `${path}?frontend=http://localhost:3000` : path,
      },
      '/ws': { target: DOOR, ws: true, rewriteWsOrigin: true },
    },
  },
  test: {
    // Files that need a document say so in their first line.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'spec/*.test.ts', 'dev/*.test.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
  },
}));
