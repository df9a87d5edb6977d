/** The installation's configuration, which the server writes into the page. */
export type Runtime = {
  apiBaseUrl: string;
  webSocketUrl: string;
  environment: 'production' | 'development' | 'test';
  /** How long before its end an access token is renewed. */
  renewalThresholdMs: number;
  /** What the installation exports, so that measuring it is of use. */
  reports: { vitals: boolean; traces: boolean };
  /** Whether our own agent has a language model to speak with; a page that Vite serves is not told. */
  agentModel?: boolean;
  /** For how many days what is kept for a time is kept; a page that Vite serves is not told. */
  keptDays?: KeptDays;
  version: string;
};

/** What is kept for a time: the server deletes it by the same figures. */
export type KeptDays = Record<
  | 'answers'
  | 'changes'
  | 'deliveries'
  | 'events'
  | 'exports'
  | 'imports'
  | 'mail'
  | 'productEvents'
  | 'providerRuns'
  | 'securityEvents'
  | 'syncHistory',
  number
>;

function read(): Runtime {
  const element = document.getElementById('runtime-config');
  if (!element?.textContent) throw new Error('The page carries no runtime configuration.');
  return JSON.parse(element.textContent) as Runtime;
}

let known: Runtime | undefined;

/** The runtime configuration, read from the page once. */
export function runtime(): Runtime {
  known ??= read();
  return known;
}

/** Whether our own agent can speak, as far as the page knows. */
export function agentSpeaks(): boolean {
  return runtime().agentModel !== false;
}

/** The nonce styles and scripts of this answer carry. */
export function cspNonce(): string | undefined {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
}
