import type { AuditEvent } from '@vidimus/accounts'
import type { AccountEvent } from '@vidimus/core-types'
import type { Client } from '../../support/client.js'
import type { Facts, ModelList } from './facts.js'
import type { Hook } from './webhooks.js'

/** What somebody who follows the events has seen of them, and the audit command. */
export interface Trail {
  seen: readonly AccountEvent[]
  audit: () => Promise<string>
  hook: Hook
}

/** What happened, by the events of the account and by the audit command: each act once. */
export async function readTrail(client: Client, facts: Facts, { seen, audit, hook }: Trail): Promise<void> {
  const events = await allEvents(client)
  const last = seen.at(-1)?.id ?? ''
  const missed = events.filter(({ id }) => id <= last && !seen.some((event) => event.id === id))
  for (const { id, type } of missed) facts.find(`in order: ${type} ${id} came after ${last} had been read`)
  const own = facts.lists.filter(({ isOfStranger }) => !isOfStranger)
  await hook.readBack(client, facts, events)
  readEvents(facts, own, events)
  readAudit(facts, own, JSON.parse(await audit()) as AuditEvent[])
}

/** Every event of the account, oldest first. */
export async function allEvents(client: Client): Promise<AccountEvent[]> {
  const events: AccountEvent[] = []
  for (let after: string | undefined; ;) {
    const page = (await client.ok('GET', '/account/events', {
      query: { limit: '1000', ...(after !== undefined && { after }) },
    })) as { events: AccountEvent[]; more: boolean }
    events.push(...page.events)
    after = page.events.at(-1)?.id ?? after
    if (!page.more) return events
  }
}

function readEvents(facts: Facts, lists: readonly ModelList[], events: readonly AccountEvent[]): void {
  events.forEach(({ id }, n) => {
    const before = events[n - 1]
    facts.hold(!before || before.id < id, () => `in order: the event ${id} follows ${before?.id}`)
  })
  const ofVersions = counted(
    events.filter(({ type }) => ['list.created', 'list.updated'].includes(type)),
    ({ data }) => String((data as { versionId?: string } | undefined)?.versionId),
  )
  const mayHaveBeen = events.filter(
    ({ data }) => (data as { confirmed?: boolean } | undefined)?.confirmed === false,
  )
  const unconfirmed = counted(mayHaveBeen, ({ data }) => String((data as { versionId?: string }).versionId))
  // What may have happened is told as such, and once more when it is found out.
  for (const [version, count] of ofVersions)
    facts.hold(
      count - (unconfirmed.get(version) ?? 0) <= 1,
      () => `exactly once: the version ${version} has ${count} events`,
    )
  for (const { address, versions } of lists)
    for (const version of versions)
      facts.hold(
        ofVersions.has(version),
        () => `acknowledged: the version ${version} of ${address} has no event`,
      )
  const ofSubjects = counted(events, ({ type, subject }) => `${type} ${subject}`)
  const unconfirmedActs = counted(mayHaveBeen, ({ type, subject }) => `${type} ${subject}`)
  const once = [
    ...facts.dids.map(({ did }) => `did.created ${did}`),
    ...facts.dids.filter(({ state }) => state === 'deactivated').map(({ did }) => `did.deactivated ${did}`),
    ...facts.keys.map((kid) => `key.created ${kid}`),
    ...facts.jobs.map(({ id }) => `job.ended ${id}`),
  ]
  for (const act of once) {
    const count = ofSubjects.get(act) ?? 0
    facts.hold(
      count > 0 && count - (unconfirmedActs.get(act) ?? 0) <= 1,
      () => `exactly once: ${count} × the event ${act}`,
    )
  }
}

function readAudit(facts: Facts, lists: readonly ModelList[], rows: readonly AuditEvent[]): void {
  const ofSubjects = counted(rows, ({ event, subject }) => `${event} ${subject}`)
  const once = [
    ...facts.dids.map(({ did }) => `did-created ${did}`),
    ...facts.dids.filter(({ state }) => state === 'deactivated').map(({ did }) => `did-deactivated ${did}`),
    ...facts.dids.filter(({ state }) => state === 'removed').map(({ did }) => `did-deleted ${did}`),
    ...facts.keys.map((kid) => `key-created ${kid}`),
  ]
  for (const act of once)
    facts.hold(
      ofSubjects.get(act) === 1,
      () => `exactly once: ${ofSubjects.get(act) ?? 0} × the audit row ${act}`,
    )
  for (const { id } of facts.jobs) {
    const count = ofSubjects.get(`status-job-created ${id}`) ?? 0
    facts.hold(count === 1, () => `exactly once: ${count} × the audit row of the job ${id}`)
  }
  const ofVersions = counted(
    rows.filter(({ event }) => ['resource-created', 'resource-updated'].includes(event)),
    ({ subject }) => subject ?? '',
  )
  for (const { list, versions } of lists)
    for (const version of versions) {
      const count = ofVersions.get(`${list.did}/resources/${version}`) ?? 0
      facts.hold(
        count === 1,
        () => `exactly once: the version ${version} of ${list.statusListName} has ${count} audit rows`,
      )
    }
  const ofRequests = counted(rows, ({ event, requestId }) => `${event} ${requestId}`)
  for (const { event, requestId } of facts.audited) {
    const count = ofRequests.get(`${event} ${requestId}`) ?? 0
    facts.hold(count === 1, () => `exactly once: ${count} × ${event} for one request`)
  }
}

function counted<T>(all: readonly T[], name: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const one of all) counts.set(name(one), (counts.get(name(one)) ?? 0) + 1)
  return counts
}
