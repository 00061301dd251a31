import assert from 'node:assert/strict'
import type { Client } from './client.js'

export interface Member {
  statusListName: string
  state: string
}

export interface Entry {
  id: string
  list: string
  index: number
}

const QUERY = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }

/** A series with members of a year each, so that every further year needs a member. */
export class YearlySeries {
  constructor(
    readonly client: Client,
    readonly did: string,
    readonly statusListName: string,
  ) {}

  create(body: object = {}, kind = 'unencrypted') {
    const { did, statusListName } = this
    return this.client.ok('POST', `/credential-status/create/${kind}`, {
      query: QUERY,
      json: { did, statusListName, series: true, period: 'P1Y', ...body },
    })
  }

  /** Issues a credential that expires in a year. */
  tryIssue(year: number, by = this.client) {
    return by.post('/credential/issue', {
      json: {
        issuerDid: this.did,
        attributes: { name: 'Bob' },
        validUntil: `${year}-06-01T00:00:00Z`,
        credentialStatus: { statusListName: this.statusListName },
      },
    })
  }

  async issue(year: number, by = this.client): Promise<Entry> {
    const { status, body } = await this.tryIssue(year, by)
    assert.equal(status, 200, JSON.stringify(body))
    const { id } = body as { id: string }
    const query = { credentialId: id }
    const { entries } = (await by.ok('GET', '/credential/entries', { query })) as { entries: Entry[] }
    return { ...(entries[0] ?? assert.fail('it is registered')), id }
  }

  revoke({ id }: Pick<Entry, 'id'>, by = this.client) {
    return by.ok('POST', '/credential/revoke', { json: { credentialId: id } }) as Promise<{
      statusListName: string
      index: number
    }>
  }

  /** Newest first. */
  async members(by = this.client): Promise<Member[]> {
    const query = { did: this.did, series: this.statusListName }
    const { statusLists } = (await by.ok('GET', '/credential-status/list', { query })) as {
      statusLists: { statusListName: string; member: { state: string } }[]
    }
    return statusLists.map(({ statusListName, member: { state } }) => ({ statusListName, state }))
  }

  async blocked(by = this.client): Promise<{ code: string; reason: string }[]> {
    const { events } = (await by.ok('GET', '/account/events', {
      query: { limit: '1000', type: 'list.series-blocked' },
    })) as { events: { data: { did: string; statusListName: string; code: string; reason: string } }[] }
    return events
      .map(({ data }) => data)
      .filter(({ did, statusListName }) => did === this.did && statusListName === this.statusListName)
  }
}
