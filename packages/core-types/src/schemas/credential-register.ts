import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import type { DescribedMethod } from '../plugin-schema.js'
import { dateOrTime, dateTime, did, textOfCharacters } from './fields.js'
import { PageRequest, pageEnd } from './paging.js'
import { listIndex } from './status-list-fields.js'

/** How callers name a credential: its `id`, or the `jti` of a JWT. */
export const credentialId = textOfCharacters(BOUNDS.credentialId).meta({
  description: 'The id of a credential: its `id`, or the `jti` of an SD-JWT VC',
})

const NO_KEY = 'must be a public key in hexadecimal'
const signingKey = z
  .string(NO_KEY)
  .regex(/^([0-9a-fA-F]{2})+$/, NO_KEY)
  .max(BOUNDS.hexKey, `must have at most ${BOUNDS.hexKey} characters`)
  .toLowerCase()
  .meta({ description: 'Public key of the key that signs the credential, in hex' })

/** The registered data of a credential, beside its entries. */
export const RegisteredCredential = z.strictObject({
  id: credentialId,
  signingKey: signingKey.optional(),
  expiresAt: dateTime('When it expires; default: never').optional(),
})

const list = textOfCharacters(BOUNDS.didUrl).meta({
  description: 'Address of the status list, as its credentials name it',
})

export const CredentialEntriesArgs = z.strictObject({
  list: list.optional(),
  index: listIndex.optional().meta({ description: 'An index of `list`' }),
  did: did('Instead of `list`: of all lists of this DID').optional(),
  issuedFrom: dateOrTime('Only credentials issued at this time or later'),
  issuedUntil: dateOrTime('Only credentials issued before this time'),
  credentialId: credentialId.optional(),
  limit: PageRequest.shape.limit,
  after: PageRequest.shape.after,
})

export const RegisteredEntry = z.object({
  credentialHash: z.string().meta({
    description:
      'Keyed hash of the id of the credential, in base64url: the same for the same id in this account',
  }),
  list: z.string().meta({ description: 'Address of the status list' }),
  index: z.int(),
  issuedAt: z.string().meta({ format: 'date-time' }),
  expiresAt: z.string().exactOptional().meta({ format: 'date-time', description: 'Absent: never' }),
  state: z.string().exactOptional().meta({
    description:
      'Of the entry in the published list: `valid`, `revoked`, `suspended`, or the message of its value; absent if the list cannot be read now',
  }),
})

export const CredentialEntriesResult = z.object({
  entries: z.array(RegisteredEntry),
  next: pageEnd.next,
})

const ImportedCredential = z.strictObject({
  credentialId,
  list,
  index: listIndex,
  issuedAt: dateTime('When it was issued; default: now').optional(),
  expiresAt: RegisteredCredential.shape.expiresAt,
  signingKey: RegisteredCredential.shape.signingKey,
})

/** Each row is judged by itself. */
export const CredentialRegisterImportArgs = z.strictObject({
  credentials: z
    .array(z.unknown(), 'must be a list of credentials')
    .max(BOUNDS.registeredCredentials, `must not hold more than ${BOUNDS.registeredCredentials}`),
})

export const CredentialRegisterImportResult = z.object({
  registered: z.int().meta({ description: 'Newly registered' }),
  known: z.int().meta({ description: 'Already registered' }),
  refused: z.array(z.object({ n: z.int(), message: z.string() })),
})

export const CredentialSignedByResult = z.object({
  isEndless: z.boolean().meta({ description: 'Whether one of them never expires' }),
  lastExpiry: z.string().exactOptional().meta({ format: 'date-time' }),
})

/** One of `credentials`. */
export const ImportedRow = ImportedCredential

/** The agent methods of the register of credentials. */
export const credentialRegisterMethods = {
  credentialEntries: {
    description:
      'Browses the registered credentials, finds those at an index of a status list, or the entries of a credential',
    arguments: CredentialEntriesArgs,
    returns: CredentialEntriesResult,
  },
  credentialRegisterImport: {
    description: 'Registers credentials that were issued before or elsewhere',
    arguments: CredentialRegisterImportArgs,
    returns: CredentialRegisterImportResult,
  },
  credentialSignedBy: {
    description: 'Returns when the last registered credential that a key signed expires',
    arguments: z.strictObject({ signingKey }),
    returns: CredentialSignedByResult,
  },
} satisfies Record<string, DescribedMethod>
