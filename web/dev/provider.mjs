// The identity provider of `make run` when no Google client is configured: a strict OpenID provider
// (oidc-provider) on loopback whose sign-in page accepts any address without a password. `local` starts
// it, passes its configuration as one line of JSON, and closes its input to end it.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import Provider from 'oidc-provider';

/** The installation's clock may differ from the machine's; the provider uses the same offset. */
const offsetMs = Number(process.env.FRONTDESK_CLOCK_OFFSET_MS ?? 0);
if (offsetMs !== 0) {
  const Machine = Date;
  globalThis.Date = class extends Machine {
    constructor(...given) {
      super(...(given.length === 0 ? [Machine.now() + offsetMs] : given));
    }

    static now() {
      return Machine.now() + offsetMs;
    }
  };
}

/** @typedef {{ port: number, clientId: string, clientSecret: string, redirectUris: string[], people: { email: string, name: string }[] }} Told */

const PATH = /^\/interaction\/[\w-]+$/;

/** The chosen accounts, by subject. */
const people = new Map();

function accountOf(email, name, verified) {
  const address = email.trim().toLowerCase();
  const id = createHash('sha256').update(address).digest('base64url');
  people.set(id, { email: address, email_verified: verified, name: name || address.split('@')[0] });
  return id;
}

/** @param {Told} told */
function configuration({ clientId, clientSecret, redirectUris }) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    // Like Google, it puts the claims of the scopes into the id token.
    conformIdTokenClaims: false,
    extraParams: ['access_type'],
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
    subjectTypes: ['public'],
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, RefreshToken: 600 },
  };
}

const escaped = (value) => value.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

function page(offered) {
  const choice = ({ email, name }) =>
    `<button name="email" value="${escaped(email)}"><b>${escaped(name)}</b><span>${escaped(email)}</span></button>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Choose an account</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>
:root { color-scheme: light dark; font: 16px/1.4 system-ui, sans-serif }
body { margin: 0; display: grid; place-items: center; min-height: 100vh }
main { width: min(26rem, 92vw); padding: 1.5rem 0 }
h1 { font-size: 1.5rem; margin: 0 0 .25rem }
p { margin: 0 0 1rem; opacity: .75 }
form { display: grid; gap: .5rem; margin-bottom: 1.25rem }
button { font: inherit; text-align: left; padding: .7rem 1rem; border-radius: 8px; border: 1px solid #8888; background: none; color: inherit; cursor: pointer; display: grid }
button:hover { background: #8882 }
span { opacity: .75; font-size: .875rem }
input[type=email] { font: inherit; padding: .6rem .75rem; border-radius: 4px; border: 1px solid #888c; background: none; color: inherit }
</style></head><body><main>
<h1>Choose an account</h1>
<p>This page stands in for Google on this machine: no Google client is configured.</p>
<form method="post">${offered.map(choice).join('')}</form>
<form method="post"><label for="email">Or use another address</label>
<input id="email" name="email" type="email" required placeholder="name@example.com" autocomplete="off">
<label><input type="checkbox" name="unverified" value="yes"> The address is not verified</label>
<button>Continue</button></form>
<form method="post"><button name="cancel" value="yes">Cancel</button></form>
</main></body></html>`;
}

/** The user's choice, as an oidc-provider result. */
async function resultOf(provider, told, details, form) {
  const email = form.get('email') ?? '';
  if (form.has('cancel') || !email.includes('@')) {
    return { error: 'access_denied', error_description: 'The person changed their mind.' };
  }
  const known = told.people.find((person) => person.email === email);
  const accountId = accountOf(email, known?.name ?? '', !form.has('unverified'));
  const grant = new provider.Grant({ accountId, clientId: details.params.client_id });
  grant.addOIDCScope(details.params.scope);
  return { login: { accountId, remember: false }, consent: { grantId: await grant.save() } };
}

async function interact(provider, told, request, response) {
  const details = await provider.interactionDetails(request, response);
  if (request.method !== 'POST') {
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-store' });
    return response.end(page(told.people));
  }
  const form = new URLSearchParams(await text(request));
  const result = await resultOf(provider, told, details, form);
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** @param {Told} told */
function serve(told) {
  const provider = new Provider(`http://127.0.0.1:${told.port}`, configuration(told));
  const others = provider.callback();
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    if (!PATH.test(pathname)) return others(request, response);
    interact(provider, told, request, response).catch((error) => {
      response.writeHead(400, { 'Content-Type': 'text/plain; charset=utf-8' });
      response.end(`${error.message}. Please start again.`);
    });
  });
  server.listen(told.port, '127.0.0.1', () => console.log(`listening on ${told.port}`));
}

const lines = createInterface({ input: process.stdin });
lines.once('line', (line) => serve(JSON.parse(line)));
// The parent process has exited, cleanly or not.
lines.once('close', () => process.exit(0));
