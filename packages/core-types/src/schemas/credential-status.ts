import { z } from 'zod'
import { BOUNDS } from '../bounds.js'
import { isDid } from '../did-spelling.js'

const name = (what: string) => z.string({ error: what }).min(1, { error: what })

const notIndex = { error: 'must be a whole number from 0 on' }
const StatusListIndex = z.union(
  [z.int(notIndex).min(0, notIndex), z.string().regex(/^(0|[1-9]\d{0,14})$/, notIndex)],
  notIndex,
)

const notPurpose = { error: `must be a purpose, or a list of at most ${BOUNDS.statusEntries} of them` }
const StatusPurpose = z.union(
  [z.string().min(1), z.array(z.string().min(1)).min(1).max(BOUNDS.statusEntries)],
  notPurpose,
)

/** Asks for an entry of a status list of the account; the index is taken before the credential is signed. */
export const CredentialStatusRequest = z
  .strictObject({
    statusListName: name('must be the name of a status list').meta({
      description: 'Asks for an entry of the list of this name',
    }),
    did: z
      .string()
      .refine(isDid, { error: 'must be the DID that publishes the list' })
      .optional()
      .meta({ description: 'Of a request: who publishes the list; default: the issuer' }),
    listType: name('must be a type of status list')
      .optional()
      .meta({ description: 'Another name of `statusListType`' }),
    statusListType: name('must be a type of status list')
      .optional()
      .meta({ description: 'Type of the list; needed where lists of several types have this name' }),
    statusPurpose: StatusPurpose.optional().meta({
      description: 'Purpose; needed where the list has several. Of several, all get one index',
    }),
    statusListIndex: StatusListIndex.optional().meta({
      description:
        'Of a request: the index to take; default: a free one at random. Of a ready entry: its index as text',
    }),
  })
  .refine(({ listType, statusListType }) => !listType || !statusListType || listType === statusListType, {
    path: ['statusListType'],
    error: 'must be the same as listType, where both are given',
  })

/** A status entry for the credential; its type defines its other members. */
export const CredentialStatusEntry = z.looseObject({
  id: z.string({ error: 'must be a URL' }).optional(),
  type: name('is needed in a ready entry; to be given an entry, name a list by statusListName').meta({
    description: 'Of a ready entry: its type; such an entry goes into the credential as it is',
  }),
})
