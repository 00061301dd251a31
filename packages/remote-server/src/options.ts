import {
  hasMethods,
  isAuditTrail,
  isIdempotencyStore,
  nearest,
  parseOptions,
  problemsError,
  type AnyAgent,
  type AuditTrail,
  type Authenticator,
  type CheckResult,
  type IdempotencyStore,
  type Measurement,
  type Problem,
  type PublicationSource,
  type PublicUrlOption,
  type RequestTracer,
} from '@vidimus/core-types'
import { publicUrlField } from '@vidimus/core-types/schemas/public-url'
import { z } from 'zod'
import { count, flag } from './option-values.js'
import {
  CorsSchema,
  RateLimitsSchema,
  TrustProxy,
  type RateLimitOptions,
} from './admission/client-options.js'
import { SCOPE_NAMES } from './admission/scopes.js'
import { LimitsSchema, TimeoutsSchema, type Limits, type Timeouts } from './limits.js'
import { MetricsSchema, type MetricsOptions } from './metrics/metrics-options.js'
import { allowedMethods } from './rpc/allowed-methods.js'
import type { ServiceAgent } from './service-agent.js'

const isAgent = (value: unknown): value is AnyAgent =>
  typeof value === 'object' && value !== null && 'execute' in value && 'availableMethods' in value

const isAuthenticator = (value: unknown): value is Authenticator => hasMethods(value, 'authenticate')

const isChecks = (value: unknown): value is () => Promise<CheckResult[]> => typeof value === 'function'

const isTracer = (value: unknown): value is RequestTracer => hasMethods(value, 'begin')

/** Garbage collections and large lists take some time. */
const SHORTEST_WATCHDOG_MS = 1000

/** Publishes elsewhere what the server returns publicly. */
export interface ServedPublication {
  useSource(source: PublicationSource): void
  begin(): void
}

export const Options = z.strictObject({
  agent: z.custom<AnyAgent>(isAgent, 'must be a Veramo agent'),
  authenticator: z.custom<Authenticator>(isAuthenticator, 'must have a method "authenticate"'),
  host: z.string('must be a host name or an address').min(1, 'must be a host name or an address'),
  port: count(0, 65535),
  publicUrl: publicUrlField(),
  limits: LimitsSchema.prefault({}),
  timeouts: TimeoutsSchema.prefault({}),
  rateLimits: RateLimitsSchema.prefault({}),
  trustProxy: TrustProxy.default(false),
  cors: CorsSchema.nullish(),
  audit: z.custom<AuditTrail>(isAuditTrail, 'must be an audit trail such as AuditLog').optional(),
  publication: z
    .custom<ServedPublication>(
      (value) => hasMethods(value, 'useSource', 'begin'),
      'must be a Publication of @vidimus/publication',
    )
    .optional(),
  idempotency: z
    .custom<IdempotencyStore>(isIdempotencyStore, 'must store responses, such as IdempotencyRecords')
    .nullish(),
  console: flag.default(true),
  vcApi: flag.default(true),
  log: z
    .strictObject({
      level: z
        .enum(
          ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
          'must be one of fatal, error, warn, info, debug, trace, silent',
        )
        .default('info'),
      pretty: flag.nullish(),
    })
    .prefault({}),
  metrics: MetricsSchema.prefault({}),
  tracer: z
    .custom<RequestTracer>(isTracer, 'must create traces, such as Tracing of @vidimus/tracing')
    .nullish(),
  publicDidMethods: z
    .array(
      z.string().regex(/^[a-z0-9]+$/, 'must be the name of a DID method, for example key'),
      'must be a list of names of DID methods',
    )
    .default(['cheqd', 'key', 'jwk']),
  agentMethods: z
    .array(z.string().min(1), 'must be a list of methods, "default" and "not <method>"')
    .default(['default']),
  defaultProvider: z.string().min(1, 'must be the name of a provider of DIDs').default('did:cheqd'),
  defaultKms: z.string().min(1, 'must be the name of a KMS').default('local'),
  shutdownGraceMs: count(0, 600_000).default(10_000),
  watchdogMs: count(0, 3_600_000)
    .refine((ms) => ms === 0 || ms >= SHORTEST_WATCHDOG_MS, `must be 0 or at least ${SHORTEST_WATCHDOG_MS}`)
    .default(30_000),
  cacheBytes: count(1024 * 1024, 64 * 1024 * 1024 * 1024).nullish(),
  checks: z.custom<() => Promise<CheckResult[]>>(isChecks, 'must be a function').optional(),
  measurements: z.custom<() => readonly Measurement[]>(isChecks, 'must be a function').optional(),
})

/** The options of {@link RemoteServer} in `agent.yml`; numbers and flags may be text. */
export interface RemoteServerOptions {
  agent: AnyAgent
  /** identifies the account of an API key */
  authenticator: Authenticator
  /** address or name to listen on; `127.0.0.1` restricts the service to this machine */
  host: string
  /** 0 to 65535; 0 lets the system choose */
  port: number | string
  /**
   * the public URL of the service, used in https addresses; https, or http on loopback, usually without a path;
   * `{ url, allowHttp: true }` allows http elsewhere
   */
  publicUrl?: PublicUrlOption
  /** also publishes what the server returns publicly to another place; absent: disabled */
  publication?: ServedPublication
  limits?: Partial<{ [Name in keyof Limits]: number | string }>
  timeouts?: Partial<{ [Name in keyof Timeouts]: number | string }>
  /** rate limits; see {@link RateLimitOptions} */
  rateLimits?: RateLimitOptions
  /**
   * Trusted proxies for the client address (`x-forwarded-for`): the number of proxies in front, or their addresses and
   * networks. Default `false`: none.
   */
  trustProxy?: boolean | number | string | readonly string[]
  /** pages of other origins that may call the service; absent: none */
  cors?: { origins: readonly string[]; maxAgeSeconds?: number | string } | null
  /** records failed authentications and refusals */
  audit?: AuditTrail
  /** stores the responses to requests with an `idempotency-key`; absent: such requests are refused */
  idempotency?: IdempotencyStore | null
  /** serves the web console for operators at `/console`; default true */
  console?: boolean | string
  /** serves the VC API (VCALM) at `/credentials` and `/presentations`; default true */
  vcApi?: boolean | string
  log?: {
    /** default `info` */
    level?: string
    /** readable lines instead of JSON; default: on a terminal */
    pretty?: boolean | string | null
  }
  /** where Prometheus metrics are served; absent: nowhere */
  metrics?: MetricsOptions
  /** traces requests; absent: no tracing */
  tracer?: RequestTracer | null
  /**
   * the DID methods that `GET /1.0/identifiers/...` resolves publicly, without an API key; default `cheqd`, `key` and
   * `jwk`. Methods that query other hosts, such as `web`, allow anyone to make the service send requests.
   */
  publicDidMethods?: string[]
  /**
   * agent methods that remote agents may call at `POST /agent/{method}`: names, `default` for those listed in
   * docs/remote-agents.md, and `not <name>` to exclude one of them; `[]` disables remote agents. Default: `[default]`
   */
  agentMethods?: string[]
  /** provider for POST /did/create without one; default `did:cheqd` */
  defaultProvider?: string
  /** KMS for new and imported keys; default `local` */
  defaultKms?: string
  /** time for running requests to finish after a stop, milliseconds; default 10 000 */
  shutdownGraceMs?: number | string
  /**
   * how long the event loop of a process may be unresponsive, or full of hanging requests, milliseconds, 1000 to
   * 3 600 000, before `vidimus start` terminates that process; 0: no limit; default 30 000
   */
  watchdogMs?: number | string
  /**
   * maximum size of all caches of this process, in bytes, 1 048 576 to 68 719 476 736; the least recently used entries
   * are evicted first. Default: an eighth of the memory of the container or machine, up to 256 MiB, and no more than a
   * quarter of the heap limit of Node.js
   */
  cacheBytes?: number | string | null
  /** see {@link RemoteServer.useChecks} */
  checks?: () => Promise<CheckResult[]>
  /** see {@link RemoteServer.useMeasurements} */
  measurements?: () => readonly Measurement[]
}

export type ServerSettings = Omit<z.output<typeof Options>, 'agent'> & { agent: ServiceAgent }

/** The part of the configuration visible to operations. */
export type OperationSettings = Pick<ServerSettings, 'defaultKms' | 'defaultProvider' | 'publicUrl'>

export type RateLimitSettings = ServerSettings['rateLimits']

/**
 * Validates the options and applies the defaults.
 *
 * @throws AgentError `invalid_configuration` with every problem
 */
export function serverSettings(options: RemoteServerOptions): ServerSettings {
  // The agent is asked for its methods before each operation is served.
  const settings = parseOptions(Options, options) as ServerSettings
  const { methods, problems: unknown } = allowedMethods(settings.agent, settings.agentMethods)
  const problems = [...unknown, ...unknownScopes(settings)]
  if (problems.length > 0) throw problemsError('invalid_configuration', problems)
  return { ...settings, agentMethods: methods }
}

/** Scopes that the configuration of the authenticator gives, at their place there. */
function unknownScopes({ authenticator, agent }: ServerSettings): Problem[] {
  const known = new Set([...SCOPE_NAMES, ...agent.availableMethods()])
  return (authenticator.namedScopes ?? [])
    .filter(({ scope }) => !known.has(scope))
    .map(({ path, scope }) => {
      const near = nearest(scope, known)
      const advice = near === undefined ? '' : `: did you mean "${near}"?`
      return { path: `authenticator.${path}`, message: `"${scope}" is not a scope${advice}` }
    })
}
