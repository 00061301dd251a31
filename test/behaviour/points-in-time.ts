import assert from 'node:assert/strict'
import { METHODS, type Belongings, type Row } from '../support/isolation-table.js'
import { withArgument, type Schemas } from '../support/naming-arguments.js'
import type { Client, Request } from '../support/client.js'
import { pointsInTime } from '../support/points-in-time.js'
import { createDid, type Setup } from './suite.js'

interface Documented {
  parameters?: { name: string; in: string; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
}

/** In the year 10000 as it is in UTC, and five characters wider than the times that it would be compared with. */
const BEYOND = '9999-12-31T23:59:59-14:00'

/** Wherever a caller gives a point in time, it is one that can be written in four digits. */
export function pointInTimeSuite({ client, service }: Setup): void {
  let operator: Client
  before(async () => {
    operator = client().as((await service().apiKeyOf('operations', { scopes: ['operator'] })).apiKey)
  })
  const refused = async (title: string, method: string, path: string, request: Request, member: string) => {
    const caller = path.startsWith('/operator/') ? operator : client()
    const { status, body } = await caller.call(method, path, request)
    const said = JSON.stringify(body).includes(member)
    assert.ok(status === 400 && said, `${title} ${member}: ${status} ${JSON.stringify(body)}`)
  }

  it('are refused after the year 9999 by every operation and method', async () => {
    const { paths, components } = client().openApi as unknown as {
      paths: Record<string, Record<string, Documented>>
      components: { schemas?: Schemas }
    }
    const did = await createDid(client())
    const tried: string[] = []
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
        const schema = requestBody?.content['application/json']?.schema
        const filled = path.replace('{did}', did).replace(/\{\w+\}/g, 'nothing')
        for (const place of pointsInTime(schema, components.schemas ?? {})) {
          const json = withArgument({}, place, BEYOND)
          tried.push(`${path} ${place.join('.')}`)
          await refused(path, method.toUpperCase(), filled, { json }, place.join('.'))
        }
        for (const { name, in: where, schema: ofParameter } of parameters) {
          const place = pointsInTime({ properties: { [name]: ofParameter } }, components.schemas ?? {})
          if (where === 'header' || place.length === 0) continue
          tried.push(`${path} ${name}`)
          await refused(path, method.toUpperCase(), filled, { query: { [name]: BEYOND } }, name)
        }
      }
    }
    const { body } = await client().get('/open-api.json')
    const document = body as {
      components: { schemas: Schemas }
      'x-methods': Record<string, { arguments: object }>
    }
    for (const [method, { arguments: schema }] of Object.entries(document['x-methods'])) {
      for (const place of pointsInTime(schema, document.components.schemas)) {
        // Content signed by others is judged as a whole.
        if (place.includes('verifiableCredential')) continue
        tried.push(`${method} ${place.join('.')}`)
        const json = withArgument(argumentsOf(METHODS[method], did), place, BEYOND)
        await refused(method, 'POST', `/agent/${method}`, { json }, place.join('.'))
      }
    }
    assert.ok(tried.length > 8, tried.join('\n'))
  })
}

/** By the first request of its row, about a DID of the caller. */
function argumentsOf(row: Row | undefined, did: string): unknown {
  const requests = [row?.own, row?.shared, row?.published, ...Object.values(row?.foreign ?? {})]
  const made = requests.find((request) => request !== undefined)
  const own = { did, credential: 'a.b.c', presentation: 'a.b.c', jwe: '' }
  return made?.({ did, credential: 'a.b.c', statusListName: 'list' } as Belongings, own).json ?? {}
}
