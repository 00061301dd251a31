/**
 * The stable error codes of Vidimus. Every unsuccessful response carries one of them; each is explained in
 * `docs/errors.md`. Plugins add their own with a prefix and a colon, for example `acme:quota_exceeded`.
 */
export const ERROR_CODES = {
  // input
  invalid_input: 'A field is missing, malformed or not allowed',
  unsupported_media_type: 'The content type of the body is not supported',
  malformed_body: 'The body cannot be parsed as its content type',
  body_too_large: 'The body is larger than the configured limit',
  headers_too_large: 'The headers of the request are larger than the server takes',
  request_timeout: 'The request did not arrive in time',
  idempotency_key_reused: 'The idempotency key was already used with another request',
  // identity of the caller
  unauthenticated: 'The API key or token is missing or invalid',
  forbidden: 'The API key or token is valid but does not permit this request',
  api_key_not_found: 'The account has no such API key',
  account_not_found: 'There is no such account',
  session_not_found: 'There is no such session of the console',
  webhook_not_found: 'The account has no such webhook',
  work_not_found: 'The account has no such work',
  not_possible: 'This cannot be done with the work, or not in its state',
  // transport
  unknown_path: 'There is no operation at this path',
  method_not_allowed: 'The path exists, but not with this method',
  not_acceptable: 'None of the offered representations is acceptable to the caller',
  too_many_requests: 'A rate limit or the share of the account is exceeded',
  quota_exceeded: 'The account has as much as it may have',
  unavailable: 'The service is starting, stopping, too busy or cannot reach a dependency',
  outcome_unknown: 'The database did not confirm the change, which may have been made or not',
  read_only: 'This process of the service is read-only',
  // keys and DIDs
  key_not_found: 'The account holds no such key',
  key_mismatch: 'The key is not what it claims to be, or does not belong to the DID',
  alias_taken: 'The account already uses this alias for something else',
  unknown_provider: 'No such DID provider is configured',
  did_not_found: 'The DID is unknown, or the account does not hold it',
  did_not_resolvable: 'The DID cannot be resolved',
  did_deactivated: 'The DID is deactivated',
  did_taken: 'The DID already exists',
  did_not_granted: 'The account may not have this name of a did:web under the public URL',
  rotation_not_found: 'No key of the DID was rotated',
  // ledger
  ledger_rule: 'A rule of the ledger forbids this',
  ledger_unavailable: 'The ledger cannot be reached or did not respond in time',
  insufficient_funds: 'The fee payer of the ledger cannot pay',
  too_large_for_network: 'The message does not fit into a block of the network',
  version_conflict: 'Another writer published first; read again and retry',
  resource_not_found: 'The DID-Linked Resource does not exist',
  // status lists
  list_not_found: 'The status list does not exist',
  list_unreachable: 'The host of the status list cannot be reached or gives an invalid response',
  status_issuer: 'The status list is signed by somebody who does not issue it for this issuer',
  list_exists: 'A status list with this name and type already exists',
  unknown_list_type: 'No such type of status list is configured',
  malformed_list: 'The resource is not a readable status list of this type',
  list_encrypted: 'The status list is encrypted',
  list_not_encrypted: 'The status list is not encrypted',
  list_full: 'The status list has no index left to allocate',
  index_taken: 'The index of the status list is already allocated',
  index_out_of_range: 'An index is outside the status list',
  unknown_action: 'The list does not support this action or state',
  purpose_mismatch: 'The list does not have this purpose',
  value_too_wide: 'The state does not fit into the width of an entry',
  irreversible: 'A revoked index stays revoked',
  payment_required: 'The payment conditions of the encrypted status list are not met',
  payment_limit: 'The payment would exceed a spending limit',
  budget_exceeded: 'The account has spent what it may spend on fees of a ledger in a day',
  job_not_found: 'The account has no such job',
  job_exists: 'Another job of the account has this id',
  // credentials and presentations
  not_registered: 'The register of the account has no such credential',
  algorithm_not_supported: 'The signature has an algorithm, curve or key size that is not supported',
  invalid_credential: 'The credential cannot be read or does not verify',
  invalid_presentation: 'The presentation cannot be read or does not verify',
  // start-up and operation
  invalid_configuration: 'The configuration has errors, or the database does not fit it',
  wrong_secret: 'The encryption secret does not match the stored keys',
  no_account_scope: 'Keys or DIDs were accessed outside the scope of an account',
  internal_error: 'Internal error; the log has details under the requestId',
} as const

/** A code of the closed list above, or one of a plugin's own with a prefix and a colon. */
export type ErrorCode = keyof typeof ERROR_CODES | `${string}:${string}`

/** These speak about the service, not about what it was asked to judge: no verdict can be given. */
export const OUTAGE_CODES: readonly ErrorCode[] = [
  'ledger_unavailable',
  'unavailable',
  'outcome_unknown',
  'no_account_scope',
  'internal_error',
]

/** One problem of an input or a configuration. */
export interface Problem {
  /** The place: a path such as `indices[2]` or `didDocument.service[0].type`; `''` for the whole. */
  path: string
  /** The problem, as a sentence without the path and without secrets. */
  message: string
  /** of `unauthenticated`, where `path` is the header */
  reason?: CredentialProblem | undefined
  /** of `quota_exceeded`: what the account had before the request */
  used?: number | undefined
  /** of `quota_exceeded`: what the account may have */
  limit?: number | undefined
}

/** Why a request has no account. Unknown, revoked and expired credentials are one: it says nothing about those of others. */
export const CREDENTIAL_PROBLEMS = ['missing', 'malformed', 'unknown', 'conflict'] as const
export type CredentialProblem = (typeof CREDENTIAL_PROBLEMS)[number]

/**
 * The only error that crosses a package's border on purpose. Its message is a sentence that names field and value,
 * contains no secret and may be shown to the caller; `cause` only goes to the log.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  /** All problems, if there are several or if they have a place in the input. */
  readonly details: readonly Problem[]

  constructor(
    readonly code: ErrorCode,
    message: string,
    options: { cause?: unknown; details?: readonly Problem[] } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.details = options.details ?? []
  }
}

/** Recognises an {@link AgentError} even if the package was loaded twice, so that `instanceof` would fail. */
export const isAgentError = (error: unknown): error is AgentError =>
  error instanceof Error && error.name === 'AgentError' && 'code' in error && 'details' in error

/**
 * Makes one error of several problems; its message is the first problem and the number of the others.
 *
 * @param problems - at least one
 */
export function problemsError(code: ErrorCode, problems: readonly Problem[]): AgentError {
  const [first] = problems
  if (!first) throw new TypeError('problemsError needs at least one problem')
  const text = first.path ? `${first.path}: ${first.message}` : first.message
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return new AgentError(code, text + more, { details: problems })
}

/** The same for unknown, revoked and expired credentials. */
export const NOT_VALID = 'is unknown, revoked or expired'

/**
 * The refusal of a request without a valid credential.
 *
 * @param header - its name
 */
export function unauthenticated(header: string, reason: CredentialProblem, message: string): AgentError {
  const sentence = `the access token is missing or invalid: ${header}: ${message}`
  return new AgentError('unauthenticated', sentence, { details: [{ path: header, message, reason }] })
}

/** The refusal of everything that a process on a standby does not do. */
export const onlyReads = (): AgentError =>
  new AgentError(
    'read_only',
    'this process is read-only (--read-only); send changes to a process on the primary',
  )

/**
 * Reports the problems of some work under the names that its caller uses.
 *
 * @param placeOf - from a path of the work to one of the caller
 */
export async function atPaths<T>(placeOf: (path: string) => string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAgentError(error) || error.details.length === 0) throw error
    const placed = error.details.map((problem) => ({ ...problem, path: placeOf(problem.path) }))
    throw problemsError(error.code, placed)
  }
}
