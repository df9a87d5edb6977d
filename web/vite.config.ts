import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Where the browser door listens while Vite serves the sources. */
const DOOR = process.env.FRONTDESK_DOOR ?? 'http://localhost:8080';

/** Stands in for the door, which fills these placeholders per answer. */
function developmentRuntime(): Plugin {
  const configuration = {
    apiBaseUrl: '/api',
    webSocketUrl: '/ws',
    environment: 'development',
    renewalThresholdMs: 10 * 60_000,
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

const BASE =
  /node_modules[\\/](react|react-dom|scheduler|react-router|@chakra-ui|@emotion|@pandacss|stylis|@tanstack[\\/](query-core|react-query)(?!.*(index|Observer|useBaseQuery|useQuer|useInfinite|useMutation|suspense|errorBoundary)))[\\/]|src[\\/](ui[\\/](?!long-list|dialog|drawer|field|menu|combobox|choice|select-field|check-field|words-field|table|avatar|badge|facts|phone|money)|session[\\/](?!.*-page|.*connect|.*return|.*google|provider[\\/](flow|attempts|secrets|addresses|configuration)|ending|.*draft|access|protect)|api[\\/](transport|errors|authorised|query-client|query-limits)|shell[\\/](links|root|not-found|skeletons))/;
const CONTRACT =
  /node_modules[\\/](@bufbuild|@tanstack[\\/](query-core|react-query)(?!.*(index|useMutation|mutationObserver|useQueries|queriesObserver)))[\\/]|src[\\/](gen[\\/](google|frontdesk[\\/](access|auth[\\/]v1[\\/](account|member)|scheduling[\\/]v1[\\/](appointment|availability|catalogue|schedule|waitlist|walk_in)_|telemetry[\\/]v1[\\/]call|tenancy[\\/]v1[\\/]business))|time|api[\\/](?!action)|shell[\\/](?!workplace|tab-links)|session[\\/](access|protect)|businesses[\\/](queries|use-zone)|appointments[\\/](naming|queries|state)|ui[\\/](menu|avatar|badge|phone))/;

/** react-router's export map knows no production, only a folder of it. */
function reactRouterProduction(): Plugin {
  const folder = '/node_modules/react-router/dist/';
  return {
    name: 'frontdesk-react-router-production',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer) {
      if (source !== 'react-router' && source !== 'react-router/dom') return null;
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && { ...found, id: found.id.replace(`${folder}development/`, `${folder}production/`) };
    },
  };
}

const DESCRIPTOR = /fileDesc\("([A-Za-z0-9+/]+)"/g;

/** Writes the contract's descriptors as the bytes they are: in base64 no two of their many names look alike. */
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
    async writeBundle({ dir = 'dist' }, bundle) {
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

export default defineConfig({
  plugins: [
    react(),
    developmentRuntime(),
    reactRouterProduction(),
    compressibleDescriptors(),
    precompressed(),
  ],
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    manifest: true,
    target: 'es2023',
    reportCompressedSize: false,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        // What every page needs, and what every page behind the sign-in needs: few files compress better than many.
        codeSplitting: {
          groups: [
            { name: 'base', test: BASE, priority: 2 },
            { name: 'contract', test: CONTRACT, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 3000,
    strictPort: true,
    // The door believes its own origin only.
    proxy: {
      '/api': { target: DOOR, headers: { Origin: DOOR } },
      '/oauth2': {
        target: DOOR,
        headers: { Origin: DOOR },
        // The way through the provider ends where it began: here.
        rewrite: (path) =>
          path === '/oauth2/authorization/google' ? `${path}?frontend=http://localhost:3000` : path,
      },
      '/ws': { target: DOOR, ws: true, rewriteWsOrigin: true },
    },
  },
  test: {
    // Files that need a document say so in their first line.
    environment: 'node',
    include: ['src/**/*.test.{ts,tsx}', 'spec/*.test.ts'],
    restoreMocks: true,
    testTimeout: 20_000,
  },
});
