import {
  AgentError,
  checkArguments,
  isAgentError,
  problemsError,
  readPage,
  schemaSentence,
  tellAccount,
  type AccountEventSink,
  type CredentialEntriesArgs,
  type CredentialEntriesResult,
  type CredentialRegister,
  type CredentialRegisterImportArgs,
  type CredentialRegisterImportResult,
  type CredentialSignedByResult,
  type ImportedRegistration,
  type Problem,
  type RegisterQuery,
  type StatusListStore,
  type StatusListType,
} from '@vidimus/core-types'
import { credentialRegisterMethods as described, ImportedRow } from '@vidimus/core-types/schemas'
import type { z } from 'zod'
import type { WritingContext } from '../agent-context.js'
import type { ListAddresses } from '../addresses/list-addresses.js'
import type { PublishedLists } from '../versions/published-lists.js'
import { entryState, OwnLists } from './own-lists.js'

interface MethodParts {
  types: readonly StatusListType[]
  lists: PublishedLists
  addresses: ListAddresses
  store: StatusListStore | undefined
  events: AccountEventSink | undefined
  clock: () => Date
}

/** The register of issued credentials; available only with a store for it. */
export function registerMethods({ store, ...parts }: MethodParts) {
  if (!store) return {}
  const { register } = store
  return {
    /** {@inheritDoc @vidimus/core-types#ICredentialRegister.credentialEntries} */
    credentialEntries: (args: CredentialEntriesArgs, context: WritingContext) =>
      entries(args, register, parts.addresses, new OwnLists({ ...parts, context })),
    /** {@inheritDoc @vidimus/core-types#ICredentialRegister.credentialRegisterImport} */
    credentialRegisterImport: async (args: CredentialRegisterImportArgs, context: WritingContext) => {
      const result = await importAll(args, register, new OwnLists({ ...parts, context }), parts.clock())
      await tellRegistered(parts.events, result)
      return result
    },
    /** {@inheritDoc @vidimus/core-types#ICredentialRegister.credentialSignedBy} */
    credentialSignedBy: (args: { signingKey: string }): Promise<CredentialSignedByResult> => {
      const { signingKey } = checkArguments(described.credentialSignedBy.arguments, args)
      return register.signedBy(signingKey)
    },
  }
}

async function entries(
  given: CredentialEntriesArgs,
  register: CredentialRegister,
  addresses: ListAddresses,
  ownLists: OwnLists,
): Promise<CredentialEntriesResult> {
  const { limit, after, ...named } = checkArguments(described.credentialEntries.arguments, given)
  const page = readPage({ limit, after })
  const query = await entriesQuery(named, addresses)
  if (!query) return { entries: [] }
  const found = await register.find(query, page)
  const shown: CredentialEntriesResult['entries'] = []
  for (const entry of found.entries) {
    const { list, purpose: _, ...facts } = entry
    const { url } = await addresses.named(list, {})
    const state = await entryState(entry, ownLists)
    shown.push({ ...facts, list: url, ...(state !== undefined && { state }) })
  }
  return { ...found, entries: shown }
}

/** @returns `undefined` for a list that this service does not manage */
async function entriesQuery(
  { list, credentialId, ...others }: Omit<CredentialEntriesArgs, 'limit' | 'after'>,
  addresses: ListAddresses,
): Promise<RegisterQuery | undefined> {
  const { index, did, issuedFrom, issuedUntil } = others
  const problems = exclusive({ list, ...others }, credentialId)
  if (list === undefined && index !== undefined && credentialId === undefined)
    problems.push({ path: 'list', message: 'is required with index' })
  if (list !== undefined && did !== undefined)
    problems.push({ path: 'did', message: 'and list are mutually exclusive' })
  if (problems.length > 0) throw problemsError('invalid_input', problems)
  if (credentialId !== undefined) return { credentialId }
  const location = list === undefined ? undefined : await addresses.locate(list)
  if (list !== undefined && !location) return undefined
  return {
    ...(location && { list: location }),
    ...(index !== undefined && { index }),
    ...(did !== undefined && { did }),
    ...(issuedFrom !== undefined && { issuedFrom: new Date(issuedFrom).toISOString() }),
    ...(issuedUntil !== undefined && { issuedUntil: new Date(issuedUntil).toISOString() }),
  }
}

/** The entries of a credential are few: nothing else narrows them. */
function exclusive(others: Record<string, unknown>, credentialId: string | undefined): Problem[] {
  if (credentialId === undefined) return []
  const message = 'and credentialId are mutually exclusive'
  return Object.keys(others).flatMap((path) => (others[path] === undefined ? [] : [{ path, message }]))
}

async function importAll(
  given: CredentialRegisterImportArgs,
  register: CredentialRegister,
  ownLists: OwnLists,
  now: Date,
): Promise<CredentialRegisterImportResult> {
  const { credentials } = checkArguments(described.credentialRegisterImport.arguments, given)
  const refused: CredentialRegisterImportResult['refused'] = []
  const registrations: ImportedRegistration[] = []
  for (const [n, row] of credentials.entries()) {
    try {
      registrations.push(await importedRegistration(row, ownLists, now))
    } catch (error) {
      if (!isAgentError(error) || !OF_THE_ROW.has(error.code)) throw error
      refused.push({ n, message: error.message })
    }
  }
  const registered = await register.import(registrations)
  return { registered, known: registrations.length - registered, refused }
}

async function tellRegistered(
  events: AccountEventSink | undefined,
  { registered, known }: CredentialRegisterImportResult,
): Promise<void> {
  if (registered === 0) return
  const event = { type: 'credentials.registered' as const, subject: 'register', data: { registered, known } }
  await tellAccount(events, event, 'that credentials were imported into its register')
}

/** Other failures are not caused by the row. */
const OF_THE_ROW: ReadonlySet<string> = new Set([
  'invalid_input',
  'did_not_found',
  'did_deactivated',
  'key_not_found',
  'list_not_found',
  'index_out_of_range',
])

async function importedRegistration(
  row: unknown,
  ownLists: OwnLists,
  now: Date,
): Promise<ImportedRegistration> {
  const { list, index, credentialId: id, issuedAt, expiresAt, signingKey } = checkedRow(row)
  const { location } = await ownLists.demandIndex(list, index)
  return {
    id,
    list: location,
    index,
    issuedAt: issuedAt === undefined ? now.toISOString() : new Date(issuedAt).toISOString(),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(signingKey !== undefined && { signingKey }),
  }
}

function checkedRow(row: unknown): z.output<typeof ImportedRow> {
  const { data, error } = ImportedRow.safeParse(row, { error: schemaSentence })
  if (data) return data
  const sentences = (error?.issues ?? []).map(({ path, message }) => `${path.join('.')} ${message}`.trim())
  throw new AgentError('invalid_input', sentences.join('; '))
}
