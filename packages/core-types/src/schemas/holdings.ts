import type { IService } from '@veramo/core-types'
import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { NETWORKS } from '../networks.js'
import { dateOrTime, textOfBytes, textOfCharacters } from './fields.js'
import { pageEnd, PageRequest } from './paging.js'

/** DIDs that are named beside a key. */
export const DIDS_OF_KEY = 5

/** The search fields of all holdings of an account. */
export const heldSearch = {
  alias: textOfBytes(
    'Exact alias, or a prefix ending in `*`; results are then ordered by alias',
    BOUNDS.indexedText,
  )
    .refine((alias) => alias !== '*', 'must have at least one character before the *')
    .optional(),
  createdAfter: dateOrTime(
    'Only those that the account obtained after this time; results are then ordered by creation',
  ),
  createdBefore: dateOrTime(
    'Only those that the account obtained before this time; results are then ordered by creation',
  ),
}

const name = (description: string) => textOfCharacters(BOUNDS.name).optional().meta({ description })

const HeldDidQuery = PageRequest.extend({
  network: z.enum(NETWORKS).optional().meta({ description: 'Network of did:cheqd' }),
  provider: name('Only those of this provider of DIDs'),
  key: name('Only those that have this key (kid) of the account'),
  ...heldSearch,
  metadata: z
    .boolean()
    .optional()
    .meta({ description: 'Provider, alias, controller key and services as well' }),
})

/** Veramo's type of the content of a DID document. */
const services = z.array(z.looseObject({ id: z.string() })) as unknown as z.ZodType<IService[]>

export const HeldDid = z.object({
  did: z.string(),
  provider: z.string().exactOptional(),
  alias: z.string().exactOptional(),
  controllerKeyId: z.string().exactOptional(),
  services: services.exactOptional(),
})

const HeldKeyQuery = PageRequest.extend({
  kid: name('Only this one'),
  kms: name('Only those of this KMS'),
  ...heldSearch,
  dids: z
    .boolean()
    .optional()
    .meta({ description: `The DIDs that have each key as well, up to ${DIDS_OF_KEY} of them` }),
})

/** The public half of a key pair. */
export const ListedKey = z.object({
  kid: z.string().meta({ description: 'Id of the key: its public key in hex' }),
  type: z.string(),
  publicKeyHex: z.string(),
  kms: z.string().meta({ description: 'Name of the KMS that holds the private half' }),
  alias: z.string().exactOptional().meta({ description: 'Label of the key' }),
  createdAt: z.string().meta({ description: 'When the account obtained it', format: 'date-time' }),
  dids: z.array(z.string()).exactOptional().meta({
    description: 'DIDs of the account that have it, if asked for; `GET /did/list` with `key` lists all',
  }),
  hasMoreDids: z.literal(true).exactOptional().meta({ description: 'Present if these are not all' }),
})

const KeyUpdateArgs = z.object({
  kid: textOfCharacters(BOUNDS.hexKey).meta({ description: 'Id of the key' }),
  alias: textOfBytes('New label, unique in the account; empty: none', BOUNDS.indexedText, 0),
})

/** The agent methods that list and name the holdings of the account in scope. */
export const holdingsMethods = {
  accountDidList: {
    description: 'Lists the DIDs of the account, page by page',
    arguments: HeldDidQuery,
    returns: z.object({ dids: z.array(HeldDid), ...pageEnd }),
  },
  accountKeyList: {
    description: 'Lists the key pairs of the account, page by page',
    arguments: HeldKeyQuery,
    returns: z.object({ keys: z.array(ListedKey), ...pageEnd }),
  },
  accountKeyUpdate: {
    description: 'Changes the label of a key pair of the account',
    arguments: KeyUpdateArgs,
    returns: ListedKey,
  },
}
