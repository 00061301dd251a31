import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { isDid } from '../did-spelling.js'

const name = (what: string) => z.string({ error: what }).min(1, { error: what })

const notIndex = { error: 'must be a whole number, 0 or greater' }
const StatusListIndex = z.union(
  [z.int(notIndex).min(0, notIndex), z.string().regex(/^(0|[1-9]\d{0,14})$/, notIndex)],
  notIndex,
)

const notPurpose = { error: `must be a purpose or a list of at most ${BOUNDS.statusEntries} of them` }
const StatusPurpose = z.union(
  [z.string().min(1), z.array(z.string().min(1)).min(1).max(BOUNDS.statusEntries)],
  notPurpose,
)

/** Asks for an entry of a status list of the account; the index is taken before the credential is signed. */
export const CredentialStatusRequest = z
  .strictObject({
    statusListName: name('must be the name of a status list').meta({
      description: 'Requests an entry of the list with this name',
    }),
    did: z
      .string()
      .refine(isDid, { error: 'must be the DID that publishes the list' })
      .optional()
      .meta({ description: 'Of a request: who publishes the list; default: the issuer' }),
    listType: name('must be a type of status list')
      .optional()
      .meta({ description: 'Alias of `statusListType`' }),
    statusListType: name('must be a type of status list')
      .optional()
      .meta({ description: 'Type of the list; required if lists of several types have this name' }),
    statusPurpose: StatusPurpose.optional().meta({
      description: 'Purpose; required if the list has several. Several purposes share one index',
    }),
    statusListIndex: StatusListIndex.optional().meta({
      description:
        'Of a request: the index to take; default: a free one at random. Of a ready entry: its index as text',
    }),
  })
  .refine(({ listType, statusListType }) => !listType || !statusListType || listType === statusListType, {
    path: ['statusListType'],
    error: 'must equal listType if both are given',
  })

/** A status entry for the credential; its type defines its other members. */
export const CredentialStatusEntry = z.looseObject({
  id: z.string({ error: 'must be a URL' }).optional(),
  type: name('is required in a ready entry; to request an entry, name a list with statusListName').meta({
    description: 'Of a ready entry: its type; such an entry is copied into the credential unchanged',
  }),
})
