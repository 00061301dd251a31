import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Client } from '@vidimus/client'
import { AgentError, fileObstacle, systemCodeOf } from '@vidimus/core-types'
import type { Operation } from '@vidimus/remote-server/operations'
import type { RequestField } from './fields.js'
import { pathNames } from './words.js'

export interface RemoteCall {
  /** in the order of the path */
  arguments: readonly string[]
  /** as Commander has them: in camel case */
  options: Readonly<Record<string, unknown>>
  client: Client
}

/**
 * Sends the request of a command. What options say is sent as text, as a form: the service decodes it by the schema of
 * the operation.
 *
 * @throws ApiError of the client; AgentError `invalid_input`
 */
export async function sendRequest(
  operation: Pick<Operation, 'method' | 'path' | 'streams'>,
  fields: readonly RequestField[],
  { arguments: names, options, client }: RemoteCall,
): Promise<unknown> {
  const { method, path } = operation
  const given = fields.flatMap((field) => {
    const value = options[attributeName(field.option)]
    // A flag without a value.
    const text = value === true ? 'true' : (value as string | readonly string[] | undefined)
    return text === undefined ? [] : [{ ...field, value: text }]
  })
  const query = Object.fromEntries(
    given.filter(({ place }) => place === 'query').map(({ name, value }) => [name, value]),
  )
  const inBody = given.filter(({ place }) => place === 'body')
  const body = await requestBody(operation, options, inBody)
  const key = options.idempotencyKey as string | undefined
  const init = {
    params: { query, path: Object.fromEntries(pathNames({ path }).map((name, n) => [name, names[n]])) },
    ...body,
    headers: { ...body?.headers, ...(key !== undefined && { 'idempotency-key': key }) },
  }
  // The types of each operation are its own; in here all are the same.
  const call = client[method] as (path: string, init: object) => Promise<unknown>
  return call(path, init)
}

interface SentBody {
  body: unknown
  headers: Record<string, string>
  bodySerializer: (body: unknown) => unknown
}

async function requestBody(
  { streams = [] }: Pick<Operation, 'streams'>,
  { body, file }: Readonly<Record<string, unknown>>,
  fields: readonly (RequestField & { value: string | readonly string[] })[],
): Promise<SentBody | undefined> {
  const ways = [
    body !== undefined && '--body',
    file !== undefined && '--file',
    ...fields.map(({ option }) => `--${option}`),
  ]
  const [way, other] = ways.filter((one) => one !== false)
  const isWhole = body !== undefined || file !== undefined
  if (isWhole && other !== undefined) {
    throw new AgentError('invalid_input', `${way} is the whole body and cannot be combined with ${other}`)
  }
  if (typeof body === 'string') return sent(await contentOf(body), 'application/json')
  if (typeof file === 'string') return sent(await contentOf(file), streamedType(file, streams))
  if (fields.length === 0) return undefined
  const form = new URLSearchParams()
  for (const { name, value } of fields) for (const one of [value].flat()) form.append(name, one)
  return sent(form.toString(), 'application/x-www-form-urlencoded')
}

const sent = (content: string, type: string): SentBody => ({
  body: content,
  headers: { 'content-type': type },
  bodySerializer: (body) => body,
})

/** By its name, as the types of the operation end. */
const streamedType = (file: string, streams: readonly string[]): string =>
  streams.find((type) => type.endsWith(file.slice(file.lastIndexOf('.') + 1))) ?? streams[0] ?? ''

async function contentOf(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8')
  } catch (error) {
    const code = systemCodeOf(error)
    if (code === undefined) throw error
    throw new AgentError('invalid_input', fileObstacle(file, code, 'read'))
  }
}

const attributeName = (option: string): string =>
  option.replace(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase())
