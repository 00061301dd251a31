import assert from 'node:assert/strict'
import type { Client } from './client.js'

export interface ListName {
  did: string
  statusListName: string
}

export interface Update {
  indices: number[]
  action: string
  version?: string
}

interface Version {
  resourceId: string
  resourceVersion: string
  created: string
  previousVersionId: string | null
  nextVersionId: string | null
}

/** Runs a task for each item, as many at once as there are clients. */
export async function atOnce<Item>(
  clients: number,
  items: readonly Item[],
  task: (item: Item, n: number) => Promise<unknown>,
): Promise<void> {
  const left = items.entries()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (const [n, item] of left) await task(item, n)
    }),
  )
}

/** An update that must be acknowledged. */
export async function update(
  client: Client,
  list: ListName,
  { indices, action, version }: Update,
): Promise<{ changed: number[]; resourceMetadata: Version }> {
  return (await client.ok('POST', '/credential-status/update/unencrypted', {
    query: { listType: 'BitstringStatusList', statusAction: action },
    json: { ...list, indices, ...(version !== undefined && { statusListVersion: version }) },
  })) as Awaited<ReturnType<typeof update>>
}

/** All entries that are not 0, with their values. */
export async function statesOf(
  client: Client,
  list: ListName,
  statusPurpose: string,
  listType = 'BitstringStatusList',
): Promise<Map<number, number>> {
  const { did, statusListName } = list
  const states = new Map<number, number>()
  for (let start = 0; start < 131_072; start += 10_000) {
    const { results } = (await client.ok('POST', '/credential-status/check', {
      query: { listType, statusPurpose },
      json: { did, statusListName, indexRangeStart: start, indexRangeEnd: Math.min(start + 9_999, 131_071) },
    })) as { results: { index: number; status: number }[] }
    for (const { index, status } of results) if (status !== 0) states.set(index, status)
  }
  return states
}

/** The versions of a list, from the metadata of its DID, oldest first. */
export async function versionsOf(client: Client, { did, statusListName }: ListName): Promise<Version[]> {
  const versions: Version[] = []
  let after: string | undefined
  do {
    const { contentStream } = (await client.ok('GET', `/1.0/identifiers/${did}/metadata`, {
      ...(after !== undefined && { query: { after } }),
    })) as {
      contentStream: {
        linkedResourceMetadata: (Version & { resourceName: string })[]
        linkedResourceMetadataNext?: string
      }
    }
    versions.push(
      ...contentStream.linkedResourceMetadata.filter(({ resourceName }) => resourceName === statusListName),
    )
    after = contentStream.linkedResourceMetadataNext
  } while (after !== undefined)
  return versions
}

/** Each version names its neighbours is not older than the one before, and there is one beginning and one end. */
export function assertLinear(versions: readonly Version[]): void {
  const ids = versions.map(({ resourceId }) => resourceId)
  assert.deepEqual(
    versions.map(({ previousVersionId }) => previousVersionId),
    [null, ...ids.slice(0, -1)],
  )
  assert.deepEqual(
    versions.map(({ nextVersionId }) => nextVersionId),
    [...ids.slice(1), null],
  )
  versions.forEach(({ created, resourceId }, n) => {
    const before = versions[n - 1]
    assert.ok(!before || Date.parse(before.created) <= Date.parse(created), `${resourceId} is of ${created}`)
  })
}
