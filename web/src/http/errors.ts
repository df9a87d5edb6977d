/** A field that the server refused. */
export type FieldViolation = { field: string; description: string };

/** Why a call failed: the server refused it, was out of reach, or took too long. */
export type Failure =
  | {
      kind: 'refused';
      status: number;
      /** `SLOT_TAKEN`, as the contract's `Reason` spells it without prefix; empty when none was given. */
      reason: string;
      metadata: Record<string, string>;
      violations: FieldViolation[];
      /** It is a person's consent that is missing, not their session. */
      authorizationRequired?: boolean;
    }
  | { kind: 'unreachable' }
  | { kind: 'timeout' };

/** The one error every call fails with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly failure: Failure;

  constructor(message: string, failure: Failure) {
    super(message);
    this.failure = failure;
  }

  get status(): number | undefined {
    return this.failure.kind === 'refused' ? this.failure.status : undefined;
  }

  get reason(): string | undefined {
    return this.failure.kind === 'refused' ? this.failure.reason : undefined;
  }
}

type StatusBody = {
  message?: string;
  authorizationRequired?: boolean;
  details?: {
    '@type'?: string;
    reason?: string;
    metadata?: Record<string, string>;
    fieldViolations?: FieldViolation[];
  }[];
};

/** Reads a refusal: a `google.rpc.Status`, or the answer of a proxy in between. */
export async function refusal(response: Response): Promise<ApiError> {
  const body = await statusOf(response);
  const details = body.details ?? [];
  const info = details.find((detail) => detail['@type']?.endsWith('google.rpc.ErrorInfo'));
  const badRequest = details.find((detail) => detail['@type']?.endsWith('google.rpc.BadRequest'));
  return new ApiError(body.message ?? '', {
    kind: 'refused',
    status: response.status,
    reason: info?.reason ?? '',
    metadata: info?.metadata ?? {},
    violations: badRequest?.fieldViolations ?? [],
    ...(body.authorizationRequired === true ? { authorizationRequired: true } : {}),
  });
}

async function statusOf(response: Response): Promise<StatusBody> {
  try {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null ? (body as StatusBody) : {};
  } catch {
    return {};
  }
}

/** The message of each reason. A reason without an entry shows the server's message. */
export const SENTENCES: Readonly<Record<string, string>> = {
  NOT_FOUND: 'This does not exist, or you have no access to it.',
  ROLE_TOO_LOW: 'Your role does not allow this.',
  UNAUTHENTICATED: 'Please sign in again.',
  XSRF: 'Your browser blocked a security cookie. Allow cookies for this site and try again.',
  SLOT_TAKEN: 'That time is taken.',
  NOT_WORKING: 'That is outside working time.',
  NOT_SKILLED: 'That person does not do this service.',
  HOLD_GONE: 'This time is no longer held.',
  TOO_SOON: 'That time is too soon.',
  TOO_FAR: 'That time is too far ahead.',
  NO_RESOURCE: 'The salon has no chair, room or machine of the kind this needs.',
  NOT_TOGETHER: 'These services can’t be done in one visit.',
  EARLIER_VISIT: 'This needs an earlier visit, such as a patch test, that the customer has not had in time.',
  CANCELLATION_WINDOW: 'It is too late for the customer to cancel this visit.',
  EMPLOYEE_REQUESTED: 'The customer asked for this employee and no one else.',
  NOT_YET: 'It is too early for that.',
  NO_LONGER: 'It is too late for that.',
  CONTRADICTION: 'This rule contradicts others.',
  OVERLAPS: 'There is something on these dates already.',
  IN_USE: 'Something else still needs this.',
  STALE: 'This was changed in the meantime. Look at it again, then decide.',
  IDEMPOTENCY_KEY_REUSED: 'This was already sent with other details. Please start again.',
  UNAVAILABLE: 'A part of Frontdesk can’t be reached right now.',
  INTERNAL: 'Something went wrong on our side.',
  TOO_LARGE: 'That is too large to send.',
  DEVICE_NOT_TRUSTED: 'This needs a device you trust.',
  WRONG_CODE: 'That code is wrong or no longer valid.',
};

/** The user-facing message of any failure. */
export function messageOf(error: unknown, fallback = 'Something went wrong.'): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.failure.kind === 'unreachable') return 'Frontdesk can’t be reached. Check your connection.';
  if (error.failure.kind === 'timeout') return 'Frontdesk took too long to answer.';
  return SENTENCES[error.failure.reason] || asSentence(error.message) || fallback;
}

/** The server's message as it stands, where the specification asks for it; `fallback` where it sent none. */
export function serverMessageOf(error: unknown, fallback: string): string {
  const refused = error instanceof ApiError && error.failure.kind === 'refused';
  return (refused && error.message) || fallback;
}

/** The record does not exist or belongs to another business: the two look the same on purpose. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function isForbidden(error: unknown): boolean {
  return error instanceof ApiError && error.status === 403;
}

const SESSION_REFUSED = new Set([400, 401, 403]);

/** Whether the server refused the session, as opposed to being busy. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status !== undefined && SESSION_REFUSED.has(error.status);
}

/** Whether a repeatable call is worth a retry: the server has decided nothing. */
export function isPassing(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.failure.kind !== 'refused' || error.failure.status >= 500;
}

/** The server's sentences about the fields it did not accept, by field. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError) || error.failure.kind !== 'refused') return {};
  return Object.fromEntries(error.failure.violations.map(({ field, description }) => [field, description]));
}

/** "the token was revoked" → "The token was revoked." */
export function asSentence(description: string): string {
  const text = description.charAt(0).toUpperCase() + description.slice(1);
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The server's message about the first refused field; empty if it names none. */
export function violationOf(error: unknown): string {
  return Object.values(fieldErrorsOf(error))[0] ?? '';
}
