import { randomUUID } from 'node:crypto'
import type { IIdentifier, IService } from '@veramo/core-types'
import { AgentError, requireEffect } from '@vidimus/core-types'
import { homeOf, homeOfDid, joinSql, sql, type Connection, type Sql, inAccount } from '@vidimus/database'
import { isDid } from './home-conditions.js'
import { endpointText } from './identifier-rows.js'
import { scopedName, type MadeRows, type Transaction } from './unit.js'

/** A key or service of a DID has its place among the others; of those with the same number the name decides. */
interface Place {
  name: string
  position: number
}

interface StoredService {
  id: string
  stored_id: string
  position: number
  type: string
  endpoint: string
  description: string | null
}

/** The keys and services of a DID as they are stored. */
export interface Links {
  keys: ReadonlyMap<string, Place>
  services: ReadonlyMap<string, Place & StoredService>
}

export const NO_LINKS: Links = { keys: new Map(), services: new Map() }

export async function readLinks(connection: Connection, account: string, did: string): Promise<Links> {
  const keys = await connection.query<Place>(
    sql`SELECT kid AS name, position FROM account_did_key WHERE ${inAccount(account)} AND did = ${did}`,
  )
  const services = await connection.query<StoredService>(
    sql`SELECT l.id, l.stored_id, l.position, s.type, s."serviceEndpoint" AS endpoint, s.description
      FROM account_service l JOIN service s ON s.home = l.home AND s.id = l.stored_id
      WHERE ${isDid(account, did, sql`l.`)}`,
  )
  return {
    keys: new Map(keys.map((key) => [key.name, key])),
    services: new Map(services.map((service) => [service.id, { ...service, name: service.id }])),
  }
}

/** The rows to write; unchanged ones are not written. */
export async function writeLinks(
  { connection, made }: Transaction,
  account: string,
  identifier: Pick<IIdentifier, 'did' | 'keys' | 'services'>,
  before: Links,
): Promise<{ isUnchanged: boolean }> {
  const writing = new LinkWriting(connection, account, identifier.did)
  await writing.keys(identifier.keys, before.keys, made)
  writing.services(identifier.services, before.services)
  return { isUnchanged: writing.written === 0 }
}

/** Links with keys have the home of the account, as the keys have; services that of the DID. */
class LinkWriting {
  written = 0
  private readonly home: number
  private readonly homeOfKeys: number

  constructor(
    private readonly connection: Connection,
    private readonly account: string,
    private readonly did: string,
  ) {
    this.home = homeOfDid(did)
    this.homeOfKeys = homeOf(account)
  }

  /** @throws AgentError `key_not_found` with every key that the account does not hold */
  async keys(keys: IIdentifier['keys'], before: Links['keys'], made: MadeRows): Promise<void> {
    const { connection, homeOfKeys } = this
    const kids = [...new Set(keys.map(({ kid }) => kid))]
    const gone = this.goneOf(before, kids)
    for (const kid of gone)
      connection.send(sql`DELETE FROM account_did_key WHERE ${this.linkWithKey(kid)}`.changing(homeOfKeys))
    const changed = this.changedPlaces(kids, before)
    const missing = await this.findMissing(
      changed.map(({ name }) => name).filter((kid) => !before.has(kid)),
      made,
    )
    if (missing.length > 0) throw keysNotFound(keys, missing)
    for (const { name: kid, position } of changed) {
      if (before.has(kid)) {
        connection.send(
          sql`UPDATE account_did_key SET position = ${position} WHERE ${this.linkWithKey(kid)}`.changing(
            homeOfKeys,
          ),
        )
      } else this.linkKey(kid, position)
    }
  }

  services(services: readonly IService[], before: Links['services']): void {
    const { connection, home } = this
    for (const id of this.goneOf(
      before,
      services.map((service) => service.id),
    )) {
      const stored = before.get(id)?.stored_id ?? ''
      connection.send(sql`DELETE FROM service WHERE home = ${home} AND id = ${stored}`.changing(home))
      const link = sql`DELETE FROM account_service WHERE ${this.linkOf(id)}`
      connection.send(link.changing(home))
    }
    const places = this.changedPlaces(
      services.map(({ id }) => id),
      before,
    )
    const positions = new Map(places.map(({ name, position }) => [name, position]))
    for (const service of services) {
      const stored = before.get(service.id)
      const position = positions.get(service.id)
      if (!stored) this.insertService(service, position ?? 0)
      else {
        if (position !== undefined) this.moveService(service.id, position)
        if (!isSame(stored, service)) this.updateService(stored.stored_id, service)
      }
    }
  }

  private goneOf(before: ReadonlyMap<string, Place>, names: readonly string[]): string[] {
    const kept = new Set(names)
    const gone = [...before.keys()].filter((name) => !kept.has(name))
    this.written += gone.length
    return gone
  }

  private changedPlaces(names: readonly string[], before: ReadonlyMap<string, Place>): Place[] {
    const changed = changedPlaces(names, before)
    this.written += changed.length
    return changed
  }

  /**
   * Those that the account does not hold; it holds what the transaction created.
   *
   * @throws AgentError `forbidden` if one has a certificate, which decides in whose name the account issues as the DID
   */
  private async findMissing(kids: readonly string[], made: MadeRows): Promise<string[]> {
    const asked = kids.filter((kid) => !made.keys.has(scopedName(this.account, kid)))
    if (asked.length === 0) return []
    const rows = await this.connection.queryApart<{ kid: string; chain: string | null }>(
      sql`SELECT kid, certificate_chain AS chain FROM account_key
        WHERE ${inAccount(this.account)} AND kid IN (${joinSql(asked)})`,
    )
    if (rows.some(({ chain }) => chain !== null)) requireEffect('name-issuer')
    const held = new Set(rows.map(({ kid }) => kid))
    return asked.filter((kid) => !held.has(kid))
  }

  private linkKey(kid: string, position: number): void {
    this.connection.send(
      sql`INSERT INTO account_did_key (home, account_id, did, kid, position)
        VALUES (${this.homeOfKeys}, ${this.account}, ${this.did}, ${kid}, ${position})`.changing(
        this.homeOfKeys,
      ),
    )
  }

  private insertService(service: IService, position: number): void {
    const { connection, account, did, home } = this
    // Services are never looked up by their own names; two DIDs may use one service id.
    const stored = scopedName(account, randomUUID())
    connection.send(
      sql`INSERT INTO service (home, id, type, "serviceEndpoint", description) VALUES (${home}, ${stored}, ${service.type},
        ${endpointText(service.serviceEndpoint)}, ${service.description ?? null})`.changing(home),
    )
    connection.send(
      sql`INSERT INTO account_service (home, account_id, did, id, stored_id, position)
        VALUES (${home}, ${account}, ${did}, ${service.id}, ${stored}, ${position})`.changing(home),
    )
  }

  private moveService(id: string, position: number): void {
    const move = sql`UPDATE account_service SET position = ${position} WHERE ${this.linkOf(id)}`
    this.connection.send(move.changing(this.home))
  }

  private updateService(stored: string, { type, serviceEndpoint, description }: IService): void {
    this.written += 1
    this.connection.send(
      sql`UPDATE service SET type = ${type}, "serviceEndpoint" = ${endpointText(serviceEndpoint)},
        description = ${description ?? null} WHERE home = ${this.home} AND id = ${stored}`.changing(
        this.home,
      ),
    )
  }

  private linkOf(id: string): Sql {
    return sql`${isDid(this.account, this.did)} AND id = ${id}`
  }

  private linkWithKey(kid: string): Sql {
    return sql`${inAccount(this.account)} AND did = ${this.did} AND kid = ${kid}`
  }
}

/** The positions of new links, and of those that no longer follow their predecessor. */
function changedPlaces(names: readonly string[], before: ReadonlyMap<string, Place>): Place[] {
  const changed: Place[] = []
  let last: Place = { name: '', position: -1 }
  for (const name of names) {
    const stored = before.get(name)
    const stays = stored !== undefined && isBehind(stored, last)
    const place = stays ? stored : { name, position: last.position + 1 }
    if (!stays) changed.push(place)
    last = place
  }
  return changed
}

const isBehind = (one: Place, other: Place): boolean =>
  one.position > other.position || (one.position === other.position && one.name > other.name)

const isSame = (stored: StoredService, { type, serviceEndpoint, description }: IService): boolean =>
  stored.type === type &&
  stored.endpoint === endpointText(serviceEndpoint) &&
  stored.description === (description ?? null)

function keysNotFound(keys: IIdentifier['keys'], missing: readonly string[]): AgentError {
  const details = keys.flatMap(({ kid }, n) =>
    missing.includes(kid) ? [{ path: `keys[${n}].kid`, message: `the account holds no key "${kid}"` }] : [],
  )
  return new AgentError('key_not_found', `the account holds no key "${missing.join('", "')}"`, { details })
}
