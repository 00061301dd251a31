import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Agent } from '@veramo/core'
import { AgentRestClient } from '@veramo/remote-client'
import { asDid, asListName, hashListId } from '@vidimus/core-types'
import { Client, type Answer, type Request } from './client.js'

/** Which method of the agent does what an operation does, and how the answer differs. */
interface Door {
  method: string
  /** of the body, and the query */
  args?: (body: Record<string, unknown>) => Record<string, unknown>
  /** what the operation adds to the result */
  more?: (args: Record<string, unknown>, result: unknown) => Record<string, unknown>
  /** the code that the operation answers as 404 */
  notFound?: string
}

/** Where they stand matters to the API alone. */
const QUERY_FIELDS = ['listType', 'statusPurpose', 'statusAction']

function onePurpose({ statusPurpose, ...others }: Record<string, unknown>): Record<string, unknown> {
  if (statusPurpose === undefined) return others
  const [first, ...more] = [statusPurpose].flat() as unknown[]
  return { ...others, statusPurpose: more.length === 0 ? first : statusPurpose }
}

function withoutNote(presentation: unknown): unknown {
  if (typeof presentation !== 'object' || presentation === null) return presentation
  const { note: _note, ...others } = presentation as Record<string, unknown>
  return others
}

function statusListId({ did, statusListName }: Record<string, unknown>, result: unknown) {
  const { resourceType } = (result as { resourceMetadata: { resourceType: string } }).resourceMetadata
  const location = {
    did: asDid(String(did)),
    statusListName: asListName(String(statusListName)),
    resourceType,
  }
  return { statusListId: hashListId(location) }
}

const updateCredential = (action: string): Door => ({
  method: 'statusListUpdateCredential',
  args: (body) => ({ ...body, statusAction: action }),
  more: () => ({ published: true }),
})

const DOORS: Record<string, Door> = {
  'POST /credential-status/create/unencrypted': {
    method: 'statusListCreate',
    args: onePurpose,
    more: statusListId,
  },
  'POST /credential-status/update/unencrypted': { method: 'statusListUpdate' },
  'POST /credential-status/sign': { method: 'statusListSign' },
  'POST /credential-status/check': { method: 'statusListCheck' },
  'GET /credential-status/search': {
    method: 'statusListSearch',
    more: statusListId,
    notFound: 'list_not_found',
  },
  'POST /credential/issue': { method: 'credentialIssue' },
  'POST /credential/verify': { method: 'credentialVerify' },
  'POST /credential/revoke': updateCredential('revoke'),
  'POST /credential/suspend': updateCredential('suspend'),
  'POST /credential/reinstate': updateCredential('reinstate'),
  'POST /presentation/create': { method: 'presentationCreate', more: () => ({ note: 'For testing' }) },
  'POST /presentation/verify': {
    method: 'presentationVerify',
    args: ({ presentation, ...others }) => ({ ...others, presentation: withoutNote(presentation) }),
  },
}

/**
 * The same client, but what a remote agent can do goes through one: a real Veramo agent with the remote client. What
 * such an agent cannot say (forms, query parameters by their spelling) takes the way of the API.
 */
export class RemoteAgentClient extends Client {
  /** calls that went through a remote agent */
  calls = 0

  static override async of(url: string, apiKey?: string): Promise<RemoteAgentClient> {
    const { openApi } = await Client.of(url, apiKey)
    return new RemoteAgentClient(url, apiKey, openApi)
  }

  override as(apiKey: string): RemoteAgentClient {
    return new RemoteAgentClient(this.url, apiKey, this.openApi)
  }

  override async call(method: string, path: string, request: Request = {}): Promise<Answer> {
    const door = DOORS[`${method} ${path}`]
    const args = door && argumentsOf(request)
    if (!door || !args || this.apiKey === undefined) return super.call(method, path, request)
    this.calls += 1
    const answer = await this.throughAgent(door.method, door.args?.(args) ?? args)
    if (answer.status === 200) answer.body = { ...(answer.body as object), ...door.more?.(args, answer.body) }
    const { code } = answer.body as { code?: string }
    if (door.notFound !== undefined && code === door.notFound) answer.status = 404
    this.validate(method, path, answer)
    return answer
  }

  /** What the remote agent gives or throws must be what the service has answered. */
  private async throughAgent(method: string, args: object): Promise<Answer> {
    const id = randomUUID()
    const client = new AgentRestClient({
      url: `${this.url}/agent`,
      enabledMethods: [method],
      headers: { authorization: `Bearer ${this.apiKey}`, 'x-request-id': id },
    })
    const agent = new Agent({ plugins: [client] })
    const seen = observe(id)
    let result: { value: unknown } | { error: Error }
    try {
      result = { value: await agent.execute<unknown, unknown>(method, args) }
    } catch (error) {
      result = { error: error as Error }
    }
    const { status, headers, body } = await seen()
    if ('value' in result) assert.deepEqual(result.value, body)
    else assert.equal(result.error.message, (body as { error: string }).error)
    assert.equal('value' in result, status < 400)
    return { status, headers, body }
  }
}

function argumentsOf({ query = {}, json, form, body, headers, apiKey }: Request) {
  const special = form ?? body ?? headers ?? (apiKey === undefined ? undefined : 'another key')
  if (special !== undefined) return undefined
  if (json !== undefined && (typeof json !== 'object' || json === null || Array.isArray(json)))
    return undefined
  const fields: Record<string, unknown> = { ...json }
  return QUERY_FIELDS.some((name) => name in fields) ? undefined : { ...query, ...fields }
}

const watched = new Map<string, Response>()
let watching = false

/** Keeps the answer to the request of this id, which the remote client reads and throws away. */
function observe(id: string): () => Promise<Answer> {
  if (!watching) {
    watching = true
    const send = globalThis.fetch
    globalThis.fetch = async (...args) => {
      const response = await send(...args)
      const sent = new Headers(args[1]?.headers).get('x-request-id')
      if (sent !== null) watched.set(sent, response.clone())
      return response
    }
  }
  return async () => {
    const response = watched.get(id)
    watched.delete(id)
    assert.ok(response, 'the remote agent has asked nothing')
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
}
