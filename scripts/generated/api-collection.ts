import { createHash } from 'node:crypto'

interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  example?: unknown
  schema?: { example?: unknown; examples?: unknown[]; default?: unknown; enum?: unknown[]; type?: string }
}
interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: unknown[]
  parameters?: Parameter[]
  requestBody?: {
    content: Record<string, { examples?: Record<string, { summary?: string; value: unknown }> }>
  }
}
interface Document {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

/**
 * A collection in the format that Postman, Bruno, Insomnia and Hoppscotch read (Postman collection v2.1): one folder
 * for each tag, one request for each operation, with its first example. The address and the API key are variables.
 */
export function apiCollection(source: object): object {
  const { info, tags, paths } = JSON.parse(JSON.stringify(source)) as Document
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  return {
    info: {
      _postman_id: identifierOf(info.title),
      name: info.title,
      description: `${info.description}\n\nMade from the API document by \`npm run generate\`.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'x-api-key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3332' },
      { key: 'apiKey', value: '' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: all.filter(({ operation }) => operation.tags[0] === name).map(requestItem),
    })),
  }
}

function requestItem({ path, method, operation }: { path: string; method: string; operation: Operation }) {
  const { summary, operationId, description, security, parameters = [], requestBody } = operation
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {})
  const body = requestBody && (examples[0]?.value ?? {})
  return {
    id: identifierOf(operationId),
    name: summary,
    request: {
      method: method.toUpperCase(),
      description: description ?? summary,
      ...(security?.length === 0 && { auth: { type: 'noauth' } }),
      header: body === undefined ? [] : [{ key: 'content-type', value: 'application/json' }],
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: JSON.stringify(body, null, 2),
          options: { raw: { language: 'json' } },
        },
      }),
      url: urlOf(path, parameters),
    },
  }
}

function urlOf(path: string, parameters: readonly Parameter[]) {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, description = '', ...rest }) => ({
      key: name,
      value: exampleOf(rest),
      description,
      ...(!required && { disabled: true }),
    }))
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, description = '', ...rest }) => ({ key: name, value: exampleOf(rest), description }))
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
  const active = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${active.length > 0 ? `?${active.join('&')}` : ''}`,
    host: ['{{baseUrl}}'],
    path: segments,
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  }
}

function exampleOf({ example, schema = {} }: Pick<Parameter, 'example' | 'schema'>): string {
  const value = example ?? schema.example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? ''
  return [value].flat().map(String).join(',')
}

/** The same in every run, so that the file changes with the API alone. */
function identifierOf(name: string): string {
  const hex = createHash('sha256').update(`vidimus ${name}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
