import { readFile } from 'node:fs/promises'
import {
  AgentError,
  fileObstacle,
  isAgentError,
  isJsonObject,
  listIdIn,
  systemCodeOf,
  type AnyAgent,
  type StatusListLocation,
  type StatusListRestoreArgs,
  type StatusListStore,
} from '@vidimus/core-types'
import type { Publication } from '@vidimus/publication'

export type ListCopy = StatusListRestoreArgs['copies'][number]

/** Files that the operator has, by the lists that they are of. */
export class GivenCopies {
  private constructor(private readonly byList: ReadonlyMap<string, ListCopy[]>) {}

  /**
   * Reads and verifies every file, before anything is changed.
   *
   * @throws AgentError `invalid_input` with every file that cannot be read, does not verify, or is of no list here
   */
  static async read(files: readonly string[], agent: AnyAgent): Promise<GivenCopies> {
    const byList = new Map<string, ListCopy[]>()
    const refused: string[] = []
    for (const file of files) {
      try {
        const data = (await content(file)).toString('base64url')
        const list = await agent.execute<object, StatusListLocation>('statusListRestoreIdentify', { data })
        const key = listKey(list)
        byList.set(key, [...(byList.get(key) ?? []), { source: file, data }])
      } catch (error) {
        if (!isAgentError(error)) throw error
        refused.push(`${file}: ${error.message}`)
      }
    }
    if (refused.length === 0) return new GivenCopies(byList)
    throw new AgentError(
      'invalid_input',
      ['--list: nothing was changed, as these files cannot be taken over:', ...refused].join('\n  '),
    )
  }

  of(list: StatusListLocation): readonly ListCopy[] {
    return this.byList.get(listKey(list)) ?? []
  }
}

const listKey = ({ did, statusListName, resourceType }: StatusListLocation): string =>
  JSON.stringify([did, statusListName, resourceType])

async function content(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    throw new AgentError('invalid_input', fileObstacle(file, code, 'read'))
  }
}

/** What the static publication has of a list. */
export async function publishedCopy(
  list: StatusListLocation,
  publication: Publication | undefined,
): Promise<ListCopy[]> {
  const { did, statusListName, resourceType } = list
  const stored = await publication?.stored({ kind: 'list', did, statusListName, resourceType })
  if (!stored) return []
  const { body, version } = stored
  const data = Buffer.from(body).toString('base64url')
  return [{ source: publication?.place ?? '', data, ...(version && { version }) }]
}

/** Addresses of lists that the static publication names, and the database does not know. */
export async function lostAddresses(
  publication: Publication | undefined,
  agent: AnyAgent,
): Promise<string[]> {
  const stored = await publication?.stored({ kind: 'aggregation' })
  const listed: unknown = stored && JSON.parse(Buffer.from(stored.body).toString())
  const addresses = isJsonObject(listed) && Array.isArray(listed.status_lists) ? listed.status_lists : []
  const lost: string[] = []
  for (const address of addresses) {
    const statusListId = typeof address === 'string' ? listIdIn(address) : undefined
    if (statusListId === undefined) continue
    const known = await agent.execute<object, unknown>('statusListLocate', { statusListId })
    if (!known) lost.push(`the list ${String(address)}, which was created since the backup`)
  }
  return lost
}

/** DIDs per look at the database. */
const PAGE = 200

/** DIDs whose documents the static publication has, and that no account has. */
export async function lostDids(
  publication: Publication | undefined,
  { restores }: StatusListStore,
): Promise<string[]> {
  const lost: string[] = []
  let page: string[] = []
  for await (const did of publication?.dids() ?? []) {
    page.push(did)
    if (page.length < PAGE) continue
    lost.push(...(await restores.unknownDids(page)))
    page = []
  }
  return [...lost, ...(await restores.unknownDids(page))].toSorted()
}
