import {
  problemsError,
  type StatusListStore,
  type StatusListType,
  type StatusListUpdateCredentialArgs,
} from '@vidimus/core-types'
import type { ListAddresses } from '../addresses/list-addresses.js'
import { registeredEntryToUpdate } from '../register/registered-credential.js'
import type { PublishedLists } from '../versions/published-lists.js'
import type { LocatedEntry } from './entries-of-credential.js'
import type { MeantAction } from './meant-entry.js'
import {
  aboutCredential,
  entryToUpdate,
  type CredentialUpdatingContext,
  type ShownCredential,
} from './update-credential.js'

interface Sources {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  store: StatusListStore | undefined
  context: CredentialUpdatingContext
}

type NamesCredential = Pick<StatusListUpdateCredentialArgs, 'credential' | 'credentialId'>

/** The action under one name. */
export function withAction({
  statusAction,
  action = statusAction,
  ...others
}: StatusListUpdateCredentialArgs) {
  if (action === undefined) throw new TypeError('the schema demands an action')
  return { ...others, action }
}

/**
 * Does something with the entry of a credential that the caller presents, or names by its id in the register.
 * Refusals refer to what the caller has sent.
 *
 * @throws AgentError as {@link entryToUpdate}, {@link registeredEntryToUpdate} and `work` do
 */
export function withEntryToUpdate<T>(
  args: MeantAction & NamesCredential,
  { context, ...sources }: Sources,
  work: (entry: LocatedEntry & { encrypted: boolean }) => Promise<T>,
): Promise<T> {
  const named = namedCredential(args)
  if ('id' in named) {
    return aboutCredential('credentialId', async () =>
      work(await registeredEntryToUpdate(named.id, args, { ...sources, context })),
    )
  }
  const { types, lists, addresses } = sources
  return aboutCredential('credential', async () =>
    work(await entryToUpdate({ ...args, ...named }, types, lists, addresses, context)),
  )
}

/**
 * The one way in which a caller names a credential.
 *
 * @throws AgentError `invalid_input`
 */
function namedCredential({
  credential,
  credentialId: id,
}: NamesCredential): Pick<ShownCredential, 'credential'> | { id: string } {
  if (credential === undefined && id !== undefined) return { id }
  if (credential !== undefined && id === undefined) return { credential }
  if (credential === undefined) {
    throw problemsError('invalid_input', [
      { path: 'credential', message: 'is required, or its credentialId' },
    ])
  }
  const message = 'and credential are mutually exclusive'
  throw problemsError('invalid_input', [{ path: 'credentialId', message }])
}
