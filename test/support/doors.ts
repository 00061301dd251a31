import type { Answer, Client, Request } from './client.js'
import { METHODS, OPERATIONS, statusEntry, type Belongings, type Own, type Row } from './isolation-table.js'
import {
  visitArguments,
  withArgument,
  type ArgumentPath,
  type Schema,
  type Schemas,
} from './naming-arguments.js'
import { createDid, createList, freshName } from '../behaviour/suite.js'

/** An operation or agent method, with a request that it takes, as far as there is one. */
export interface Door {
  title: string
  base: Request & { path?: Record<string, string> }
  /** of the arguments that are meant: `json`, `query` or `path`, and where they stand there */
  places: ArgumentPath[]
}

type IsMeant = Parameters<typeof visitArguments>[2]

/** What takes things away comes last. */
const TAKES = /delete|revoke|remove|deactivate|DELETE|import/i

/** Every operation and every served agent method, with those of their arguments that are meant. */
export async function everyDoor(client: Client, isMeant: IsMeant): Promise<Door[]> {
  const things = await ownThings(client)
  const doors = [...(await agentDoors(client, things, isMeant)), ...restDoors(client, things, isMeant)]
  return doors.sort((one, other) => Number(TAKES.test(one.title)) - Number(TAKES.test(other.title)))
}

/** Calls a door as it is, or with another value at a place. @param escaped - the value as it stands in a URL */
export function callDoor(
  client: Client,
  { title, base }: Door,
  other?: { place: ArgumentPath; value: unknown; escaped: string },
): Promise<Answer> {
  const [method = '', template = ''] = title.split(' ')
  const { path = {}, query = {}, ...request } = base
  const [part, ...place] = other?.place ?? []
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) =>
    other && part === 'path' && place[0] === name ? other.escaped : encodeURIComponent(path[name] ?? 'x'),
  )
  if (!other || part === 'path') return client.call(method, filled, { ...request, query })
  if (part === 'json') {
    const json = withArgument(request.json, place, other.value)
    return client.call(method, filled, { ...request, query, json })
  }
  const others = Object.entries(query).filter(([name]) => name !== place[0])
  const pairs = [...others.flatMap(([name, values]) => [values].flat().map((value) => [name, value]))]
  const written = [...pairs.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)]
  return client.call(method, `${filled}?${[...written, `${place[0]}=${other.escaped}`].join('&')}`, request)
}

async function agentDoors(client: Client, things: [Belongings, Own], isMeant: IsMeant): Promise<Door[]> {
  const { body } = await client.get('/open-api.json')
  const document = body as {
    components: { schemas: Schemas }
    'x-methods': Record<string, { arguments: Schema }>
  }
  return Object.entries(document['x-methods']).map(([method, { arguments: args }]) => ({
    title: `POST /agent/${method}`,
    base: baseOf(METHODS[method], things),
    places: visitArguments(args, document.components.schemas, isMeant).map((path) => ['json', ...path]),
  }))
}

function restDoors(client: Client, things: [Belongings, Own], isMeant: IsMeant): Door[] {
  const { paths, components } = client.openApi as unknown as {
    paths: Record<string, Record<string, Described>>
    components?: { schemas?: Schemas }
  }
  const schemas = components?.schemas ?? {}
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const title = `${method.toUpperCase()} ${template}`
      const body = requestBody?.content['application/json']?.schema
      const beside = parameters.filter(
        ({ in: place, name, schema }) => place !== 'header' && isMeant([name], schema),
      )
      return {
        title,
        base: baseOf(OPERATIONS[title], things),
        places: [
          ...visitArguments(body, schemas, isMeant).map((path) => ['json', ...path]),
          ...beside.map(({ name, in: place }) => [place, name]),
        ],
      }
    }),
  )
}

interface Described {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** The first request of a row, with what is the caller's own. */
function baseOf(row: Row | undefined, [theirs, own]: [Belongings, Own]): Door['base'] {
  const named = [row?.foreign, row?.unheld, row?.refused, row?.operators].flatMap((each) =>
    Object.values(each ?? {}),
  )
  const [first] = [row?.own, row?.shared, row?.published, ...named].filter((one) => one !== undefined)
  return first?.(theirs, own) ?? {}
}

async function ownThings(client: Client): Promise<[Belongings, Own]> {
  const did = await createDid(client)
  const { statusListName } = await createList(client, { did })
  const key = (await client.ok('POST', '/did/create', { json: { providerId: 'did:key' } })) as {
    did: string
    controllerKeyId: string
  }
  const credentialId = `https://example.com/${freshName('credential')}`
  const issued = (await client.ok('POST', '/credential/issue', {
    json: {
      issuerDid: did,
      credentialId,
      subjectDid: did,
      attributes: { a: 1 },
      credentialStatus: statusEntry(did, statusListName),
    },
  })) as { proof: { jwt: string } }
  const credential = issued.proof.jwt
  const belongings = {
    did,
    keyDid: key.did,
    kid: key.controllerKeyId,
    alias: freshName('alias'),
    service: `${did}#svc`,
    statusListName,
    encryptedListName: statusListName,
    seriesName: statusListName,
    credential,
    credentialId,
    resourceId: '00000000-0000-4000-8000-000000000000',
    versionId: '00000000-0000-4000-8000-000000000000',
    apiKeyId: 'none',
    webhookId: 'none',
    jobId: 'none',
    eventId: 'none',
    workId: 'none',
  }
  return [belongings, { did, credential, presentation: credential, jwe: '{}' }]
}
