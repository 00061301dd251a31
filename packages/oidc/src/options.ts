import {
  durationMs,
  durationSentence,
  hasMethods,
  isConfidentialAddress,
  isDuration,
  isHttpUrl,
  type KeyEnvelope,
  NETWORKS,
} from '@vidimus/core-types'
import type { Database } from '@vidimus/database'
import { z } from 'zod'

/** Parts of a path into nested claims. */
const MOST_STEPS = 8
const MOST_RULES = 1000
const MOST_VALUES = 1000

const LATEST = 'must be at most 10 years'
const TEN_YEARS = 10

const CLAIM = 'must be the name of a claim, or a list of names that leads to a nested one'
const Claim = z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(MOST_STEPS)], {
  error: CLAIM,
})

const fromClaim = z.strictObject({ claim: Claim })

/** A fixed value, or the claim that has it. */
const valueOr = <Value extends z.ZodType>(value: Value, error: string) =>
  z.union([value, fromClaim], { error })

/** Ids of operations and names of groups. */
export const SCOPE = /^[a-z0-9][a-z0-9:-]{0,63}$/i

const Condition = z.strictObject({
  claim: Claim,
  is: z
    .union([z.string(), z.boolean(), z.array(z.string()).min(1).max(MOST_VALUES)], {
      error: 'must be a text, true, false, or a list of texts of which one must match',
    })
    .transform((is) => (Array.isArray(is) ? is : [is])),
})

const Rule = z.strictObject({
  when: z.array(Condition, 'must be a list of {claim, is}').max(MOST_VALUES).default([]),
  account: valueOr(
    z.string().min(1).max(255),
    'must be the name of an account, or {claim: name of a claim}',
  ).default({ claim: 'vidimus_account' }),
  scopes: valueOr(
    z.array(z.string().regex(SCOPE, 'must be a scope')).max(MOST_VALUES),
    'must be a list of scopes, or {claim: name of a claim}',
  ).optional(),
  networks: valueOr(
    z.array(z.enum(NETWORKS)).max(NETWORKS.length),
    `must be a list of ${NETWORKS.join(', ')}, or {claim: name of a claim}`,
  ).optional(),
})

/** Texts from an environment variable may be a list with commas. */
const texts = (value: unknown) =>
  typeof value === 'string' ? value.split(',').map((one) => one.trim()) : value

const Provider = z
  .strictObject({
    id: z
      .string()
      .regex(/^[a-z0-9-]{1,32}$/, 'must have 1 to 32 small letters, digits or -')
      .optional(),
    issuer: z
      .string('must be an http(s) URL')
      .refine(isIssuer, 'must be an http(s) URL without query and fragment'),
    allowHttp: z.boolean().default(false),
    audience: z.preprocess(
      texts,
      z
        .array(z.string().min(1), 'must be the audience of tokens for this service, or a list of them')
        .min(1, 'must be the audience of tokens for this service, or a list of them')
        .max(MOST_VALUES),
    ),
    name: z.string().min(1).max(100).nullish(),
    clientId: z.string().min(1).max(255).nullish(),
    clientSecret: z.string().min(1).max(4096).nullish(),
    deviceClientId: z.string().min(1).max(255).nullish(),
    apiKeyLife: z
      .string({ error: ({ input }) => durationSentence(input) })
      .refine(isDuration, { error: ({ input }) => durationSentence(input) })
      .refine((text) => !isDuration(text) || isWithinYears(text), LATEST)
      .nullish(),
    rules: z.array(Rule, 'must be a list of rules').min(1).max(MOST_RULES).prefault([{}]),
  })
  .superRefine(({ issuer, allowHttp }, context) => {
    if (allowHttp || !isHttpUrl(issuer) || isConfidentialAddress(issuer)) return
    const message =
      'must be https, or http on loopback; "allowHttp: true" beside it allows http, where others on the network can forge tokens'
    context.addIssue({ code: 'custom', path: ['issuer'], message })
  })

/** The first provider may do without an id; so may those where nobody signs in. */
const idOf = ({ id }: z.output<typeof Provider>, n: number): string =>
  id ?? (n === 0 ? 'default' : `provider-${n + 1}`)

const Providers = z
  .array(Provider, 'must be a list of identity providers')
  .min(1)
  .max(100)
  .superRefine((providers, context) => {
    const ids = providers.map(idOf)
    providers.forEach(({ id, clientId }, n) => {
      const path = [n, 'id']
      if (id === undefined && clientId && n > 0)
        context.addIssue({ code: 'custom', path, message: 'is required, as people sign in here' })
      if (ids.indexOf(ids[n] ?? '') !== n)
        context.addIssue({ code: 'custom', path, message: 'must differ from that of every other provider' })
    })
  })
  .transform((providers) => providers.map((provider, n) => ({ ...provider, id: idOf(provider, n) })))

export const Options = z
  .strictObject({
    database: z
      .custom<Database>(
        (value) => hasMethods(value, 'query', 'write'),
        'must be a Database of @vidimus/database',
      )
      .nullish(),
    envelope: z
      .custom<KeyEnvelope>(
        (value) => hasMethods(value, 'seal', 'open', 'isSealed', 'isInUse'),
        'must be a key envelope, for example a PrivateKeyEnvelope of @vidimus/kms-node',
      )
      .nullish(),
    providers: Providers,
    clock: z.custom<() => Date>((value) => typeof value === 'function', 'must be a function').optional(),
  })
  .superRefine(({ providers, database, envelope }, context) => {
    providers.forEach(({ issuer, clientId, audience }, n) => {
      if (clientId && !(database && envelope)) {
        const message =
          'needs the options "database" and "envelope", where sessions are kept and what seals them'
        context.addIssue({ code: 'custom', path: ['providers', n, 'clientId'], message })
      }
      if (clientId && audience.includes(clientId)) {
        const message = 'must not be an audience as well: ID tokens would be accepted as access tokens'
        context.addIssue({ code: 'custom', path: ['providers', n, 'clientId'], message })
      }
      if (providers.findIndex((other) => other.issuer === issuer) === n) return
      const message = 'is listed twice; list further audiences under the first one'
      context.addIssue({ code: 'custom', path: ['providers', n, 'issuer'], message })
    })
  })

export type ProviderSettings = z.output<typeof Providers>[number]
export type RuleSettings = z.output<typeof Rule>
export type ClaimName = z.output<typeof Claim>

/** A claim by its name, or a nested one by the names on the way to it. */
type ClaimOption = string | string[]

/** Which tokens get an account here, and their rights. */
export interface IdentityProvidersOptions {
  /** where sessions of the console are kept; required by `clientId` */
  database?: Database | null
  /** seals what a browser keeps while somebody signs in; required by `clientId` */
  envelope?: KeyEnvelope | null
  /**
   * Identity providers whose tokens are accepted. Of each: `id` (its redirect address is /console/callback/ and this; unique;
   * the first may omit it and is `default`), `issuer`, `audience` (one of them must be in `aud`), `rules`, `allowHttp` (an http issuer that is not on loopback), `clientId` and
   * `clientSecret` (the client of the console), `name` (of its button), `deviceClientId` (the client of `vidimus login`), and `apiKeyLife` (how long API keys may live that are created
   * with a token, such as P90D; absent: no longer than the token itself). See docs/login.md.
   */
  providers: {
    id?: string
    /** as in `iss` of its tokens; below it is /.well-known/openid-configuration */
    issuer: string
    allowHttp?: boolean
    audience: string | string[]
    apiKeyLife?: string | null
    name?: string | null
    clientId?: string | null
    clientSecret?: string | null
    deviceClientId?: string | null
    /**
     * The first rule that applies decides: all its conditions hold, and there is an account. Default: the claims
     * `vidimus_account`, `vidimus_scopes` and `vidimus_networks`.
     */
    rules?: {
      when?: { claim: ClaimOption; is: string | boolean | string[] }[]
      account?: string | { claim: ClaimOption }
      scopes?: string[] | { claim: ClaimOption }
      networks?: string[] | { claim: ClaimOption }
    }[]
  }[]
  /** what time it is; default: the system's clock */
  clock?: () => Date
}

function isIssuer(text: string): boolean {
  if (!isHttpUrl(text)) return false
  const { search, hash, username, password } = new URL(text)
  return search === '' && hash === '' && username === '' && password === ''
}

const isWithinYears = (duration: string): boolean => {
  const end = new Date(0)
  end.setUTCFullYear(end.getUTCFullYear() + TEN_YEARS)
  return durationMs(duration) <= end.getTime()
}
