import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { root } from './repository.js'

interface Item {
  id: string
  name: string
  item?: Item[]
  event?: { listen: string; script: { exec: string[] } }[]
  request?: {
    method: string
    auth?: { type: string; apikey?: { key: string; value: string }[] }
    header: { key: string; value: string }[]
    body?: { raw: string }
    url: { raw: string; variable?: { key: string; value: string }[] }
  }
}

/** What came of a request of the collection. */
export interface Sent {
  id: string
  name: string
  status: number
  text: string
}

/** Sends the collection of requests in its order, as the programs do that it is made for: with its variables and scripts. */
export async function sendCollection(baseUrl: string, apiKey: string, operatorKey: string): Promise<Sent[]> {
  const file = join(root, 'examples/api-collection/vidimus.postman_collection.json')
  const { item = [] } = JSON.parse(await readFile(file, 'utf8')) as Item
  const variables = new Map([
    ['baseUrl', baseUrl],
    ['apiKey', apiKey],
    ['operatorKey', operatorKey],
  ])
  const sent: Sent[] = []
  for (const one of item.flatMap((folder) => folder.item ?? [])) sent.push(await send(one, variables))
  return sent
}

async function send({ id, name, request, event = [] }: Item, variables: Map<string, string>): Promise<Sent> {
  if (!request) throw new Error(`${name} is no request`)
  const { method, auth, header, body, url } = request
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (all, key: string) => variables.get(key) ?? all)
  const address = (url.variable ?? []).reduce(
    (text, { key, value }) => text.replace(`:${key}`, encodeURIComponent(filled(value))),
    filled(url.raw),
  )
  const response = await fetch(address, {
    method,
    headers: {
      ...Object.fromEntries(header.map(({ key, value }) => [key, value])),
      ...(auth?.type !== 'noauth' && { 'x-api-key': filled(keyIn(auth)) }),
    },
    ...(body && { body: filled(body.raw) }),
  })
  const text = await response.text()
  const scripts = event.filter(({ listen }) => listen === 'test').flatMap(({ script }) => script.exec)
  if (response.ok) run(scripts.join('\n'), text, variables)
  return { id, name, status: response.status, text }
}

const keyIn = (auth: NonNullable<Item['request']>['auth']): string =>
  auth?.apikey?.find(({ key }) => key === 'value')?.value ?? '{{apiKey}}'

/** As much of Postman's `pm` as the scripts use. */
function run(script: string, text: string, variables: Map<string, string>): void {
  const pm = {
    test: (_title: string, assertion: () => unknown) => assertion(),
    response: { to: { be: { success: true } }, json: () => JSON.parse(text) as unknown },
    collectionVariables: {
      set: (name: string, value: unknown) => {
        if (typeof value !== 'string') throw new Error(`"${script}" finds no text for ${name} in ${text}`)
        variables.set(name, value)
      },
    },
  }
  runInNewContext(script, { pm })
}
