import {
  hasMethods,
  isAccountEventSink,
  isDid,
  isPublicationOutbox,
  type AccountEventSink,
  type PublicationOutbox,
  type PublicUrlOption,
  type RightsOfNow,
  type StatusListAddress,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import { publicUrlField } from '@vidimus/core-types/schemas/public-url'
import { canonicalIssuer } from '@vidimus/verification-methods'
import { z } from 'zod'

/** Limits and list types of a {@link StatusListPlugin}. */
export interface StatusListPluginOptions {
  /** at least one; `type` and `entryType` are unique among them */
  types: StatusListType[]
  /** of one update or check; default 10 000 */
  maxIndicesPerCall?: number
  /** entries of a new list; default 10 000 000 */
  maxListLength?: number
  /** rows of a file of a mass change; default 3 000 000 */
  maxJobRows?: number
  /** the most that one list may hold, in bytes; default 16 MiB */
  maxDecodedBytes?: number
  /** the data beside the ledger; absent: no index is allocated, and no list can be encrypted */
  store?: StatusListStore
  /** the most that is paid for an account to unlock one list, in CHEQ, until that must be done again; default 100 */
  maxFeeCheq?: number
  /** the most that is paid for an account on a network in a day (UTC), in CHEQ; default 100 */
  maxFeesPerDayCheq?: number
  /** gets events of new lists and versions; absent: no events */
  events?: AccountEventSink
  /** says whether whoever ordered a job still has the rights for it; absent: jobs keep those of then */
  rights?: RightsOfNow
  /** where versions are also written, and can be waited for; absent: nowhere */
  publication?: PublicationOutbox
  /** of the service: lists have an https address under it; absent: only their DID URL */
  publicUrl?: PublicUrlOption
  /**
   * entries that the Bitstring and StatusList2021 lists of third parties must have: in a short list an index says more
   * about whose credential is asked for; default 131 072, as the specification recommends
   */
  minForeignEntries?: number
  /** reading lists that others serve over https; `false`: none is asked for */
  web?: Partial<WebLimits> | false
  /**
   * who may sign lists that are served over https beside the issuers of the credentials; default: nobody. The issuers
   * named in `for` must trust them with every revocation.
   */
  statusIssuers?: StatusIssuer[]
  /**
   * share of the indices of a member of a series, from 0 to 1, that is allocated when the next member is published;
   * default 0.75
   */
  nextMemberAt?: number
  /** which of the two is the default identity of new lists; default `did` */
  address?: StatusListAddress
  /** whether new lists that can also get an embedded proof, unless their creator chooses; default `false` */
  embeddedProof?: boolean
}

/** A party that signs status lists for issuers of credentials. */
export interface StatusIssuer {
  /** its DID or https address, or `anchor:` and the name of a trust anchor: whoever that has certified */
  issuer: string
  /** DIDs or https addresses of the issuers of the credentials, or `"*"` for all */
  for: string[] | '*'
}

/** How far hosts that serve lists of others are trusted. */
export interface WebLimits {
  /** for a list, redirects included, in milliseconds; default 5000 */
  timeoutMs: number
  /** of a list as it is served; default 4 MiB */
  maxBytes: number
  /** that are followed; default 3 */
  redirects: number
  /**
   * Also contact hosts of the internal network. Anyone who presents a credential can then make the service send
   * requests there, so the default is `false`.
   */
  allowPrivateAddresses: boolean
  /** PEM; in place of the well-known ones */
  certificateAuthorities?: string | undefined
}

/** The members that a type must have beside its names and numbers. */
const METHODS = [
  'resourceTypes',
  'resourceTypesOfAction',
  'defaultStatusSize',
  'create',
  'decode',
  'parse',
  'serialise',
  'describe',
  'unpack',
  'pack',
  'nextValue',
  'report',
  'entry',
  'readEntry',
  'toResource',
] as const satisfies (keyof StatusListType)[]

const MEBIBYTE = 1_048_576

const Fee = z.int().min(0).max(1_000_000_000)

const TypeObject = z.custom<StatusListType>((value) => missingMembers(value).length === 0, {
  error: ({ input }) => `is not a status list type: it lacks ${missingMembers(input).join(', ')}`,
})

const Web = z.strictObject({
  timeoutMs: z.int().min(1).max(60_000).default(5000),
  maxBytes: z
    .int()
    .min(1024)
    .max(64 * MEBIBYTE)
    .default(4 * MEBIBYTE),
  redirects: z.int().min(0).max(10).default(3),
  allowPrivateAddresses: z.boolean().default(false),
  certificateAuthorities: z.string().optional(),
})

const isIssuer = (text: string) => isDid(text) || canonicalIssuer(text) !== undefined

const Signer = z.string().refine((text) => isIssuer(text) || /^anchor:./.test(text), {
  error: 'must be a DID, an https address in its canonical spelling, or anchor:<name>',
})

const IssuersOrAll = z.union([z.literal('*'), z.array(z.string().refine(isIssuer)).min(1)], {
  error: 'must be "*" or a list of DIDs and https addresses in their canonical spelling',
})

export const Options = z
  .strictObject({
    types: z
      .array(TypeObject, 'must be a list of types of status lists')
      .min(1, 'must hold at least one type')
      .superRefine((types, context) => {
        for (const name of ['type', 'entryType'] as const) {
          types.forEach((type, n) => {
            if (types.findIndex((other) => other[name] === type[name]) === n) return
            const message = `the ${name} "${type[name]}" is configured twice`
            context.addIssue({ code: 'custom', path: [n], message })
          })
        }
      }),
    maxIndicesPerCall: z.int().min(1).max(1_000_000).default(10_000),
    maxListLength: z.int().min(131_072).max(100_000_000).default(10_000_000),
    maxJobRows: z.int().min(1).max(1_000_000_000).default(3_000_000),
    maxDecodedBytes: z
      .int()
      .min(131_072)
      .max(256 * MEBIBYTE)
      .default(16 * MEBIBYTE),
    store: z
      .custom<StatusListStore>(
        isStore,
        'must be a status list store, such as that of @vidimus/status-list-store',
      )
      .optional(),
    maxFeeCheq: Fee.default(100),
    maxFeesPerDayCheq: Fee.default(100),
    events: z
      .custom<AccountEventSink>(
        isAccountEventSink,
        'must accept events, such as Events of @vidimus/account-events',
      )
      .optional(),
    rights: z
      .custom<RightsOfNow>((value) => hasMethods(value, 'rightsNow'), 'must be Accounts or IdentityProviders')
      .optional(),
    publication: z
      .custom<PublicationOutbox>(isPublicationOutbox, 'must be a Publication of @vidimus/publication')
      .optional(),
    nextMemberAt: z.number().min(0).max(1).default(0.75),
    publicUrl: publicUrlField(),
    address: z.enum(['did', 'https'], 'must be did or https').default('did'),
    embeddedProof: z.boolean('must be true or false').default(false),
    minForeignEntries: z.int().min(1).max(100_000_000).default(131_072),
    statusIssuers: z.array(z.strictObject({ issuer: Signer, for: IssuersOrAll })).default([]),
    web: z
      .union([z.literal(false), Web], { error: 'must be false or the limits for reading lists of others' })
      .prefault({}),
  })
  .refine(({ address, publicUrl }) => address === 'did' || publicUrl !== undefined, {
    path: ['address'],
    error: '"https" needs a publicUrl',
  })

function isStore(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const candidate = value as Partial<Record<string, unknown>>
  return [
    'indices',
    'keys',
    'payments',
    'turns',
    'addresses',
    'renewals',
    'paces',
    'register',
    'jobs',
    'series',
  ].every((part) => typeof candidate[part] === 'object')
}

function missingMembers(value: unknown): string[] {
  const candidate = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  return [
    ...['type', 'entryType'].filter((name) => typeof candidate[name] !== 'string'),
    ...METHODS.filter((method) => typeof candidate[method] !== 'function'),
    ...['withPaymentConditions'].filter(
      (method) => candidate.encryptable === true && typeof candidate[method] !== 'function',
    ),
  ]
}
