/** Random bytes, passed in so that tests control them. */
export type Random = (length: number) => Uint8Array<ArrayBuffer>;

const VERIFIER_BYTES = 32;
const STATE_BYTES = 16;

/** The secrets of one attempt: kept here, sent to the provider only as digests. */
export type Secrets = { verifier: string; state: string };

export function drawSecrets(random: Random): Secrets {
  return { verifier: base64url(random(VERIFIER_BYTES)), state: base64url(random(STATE_BYTES)) };
}

/** PKCE's S256. */
export function challengeOf(verifier: string): Promise<string> {
  return digest(verifier);
}

/** Made from the verifier, so that the server can make it again from what it is sent. */
export function nonceOf(verifier: string): Promise<string> {
  return digest(`nonce:${verifier}`);
}

async function digest(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))));
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
