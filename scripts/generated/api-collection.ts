import { createHash } from 'node:crypto'
import { type CollectionStep, EXAMPLES_OF_VARIABLES, STEPS } from './collection-steps.js'

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
interface Request {
  path: string
  method: string
  operation: Operation
  step: CollectionStep
}
interface Document {
  info: { title: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

/**
 * A collection in the format that Postman, Bruno, Insomnia and Hoppscotch read (Postman collection v2.1): one folder
 * for each tag, one request for each operation, with its first example; a last folder has what ends things. The address and
 * the API key are variables, and so is what an answer gives to the requests after it: sent in their order, all of them work.
 */
export function apiCollection(source: object): object {
  const { info, tags, paths } = JSON.parse(JSON.stringify(source)) as Document
  const requests = inOrder(paths)
  const foldersOfTags = tags.map(({ name, description }) => ({
    name,
    description,
    item: requests.filter(({ operation, step }) => operation.tags[0] === name && !step.last).map(requestItem),
  }))
  return {
    info: {
      _postman_id: identifierOf(info.title),
      name: info.title,
      description: `${info.description}\n\nMade from the API document by \`npm run generate\`.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: authentication('{{apiKey}}'),
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:3332' },
      { key: 'apiKey', value: '' },
      { key: 'operatorKey', value: '', description: 'An API key with the scope operator' },
    ],
    item: [
      ...foldersOfTags,
      {
        name: 'The end of things',
        description: 'What cannot be taken back',
        item: requests.filter(({ step }) => step.last).map(requestItem),
      },
    ],
  }
}

const authentication = (key: string) => ({
  type: 'apikey',
  apikey: [
    { key: 'key', value: 'x-api-key', type: 'string' },
    { key: 'value', value: key, type: 'string' },
    { key: 'in', value: 'header', type: 'string' },
  ],
})

/** Those of {@link STEPS} in the order there, before the others. */
function inOrder(paths: Document['paths']): Request[] {
  const order = Object.keys(STEPS)
  const placeOf = ({ operation }: Request) => {
    const place = order.indexOf(operation.operationId)
    return place === -1 ? order.length : place
  }
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method,
        operation,
        step: STEPS[operation.operationId] ?? {},
      })),
    )
    .sort((one, other) => placeOf(one) - placeOf(other))
}

function requestItem({ path, method, operation, step }: Request) {
  const { summary, operationId, description, security, parameters = [], requestBody } = operation
  const examples = Object.values(requestBody?.content['application/json']?.examples ?? {})
  const body = requestBody && { ...(examples[0]?.value ?? {}), ...step.body }
  return {
    id: identifierOf(operationId),
    name: summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: stepTests(step) } }],
    request: {
      method: method.toUpperCase(),
      description: description ?? summary,
      ...(security?.length === 0 && { auth: { type: 'noauth' } }),
      ...(path.startsWith('/operator/') && { auth: authentication('{{operatorKey}}') }),
      header: body === undefined ? [] : [{ key: 'content-type', value: 'application/json' }],
      ...(body !== undefined && {
        body: {
          mode: 'raw',
          raw: withVariables(JSON.stringify(body, null, 2)),
          options: { raw: { language: 'json' } },
        },
      }),
      url: requestUrl(path, parameters, step),
    },
  }
}

/** What Postman, and those who read its collections, run after the answer. */
const stepTests = ({ keep = {} }: CollectionStep): string[] => [
  "pm.test('is answered', () => pm.response.to.be.success)",
  ...Object.entries(keep).map(
    ([variable, member]) => `pm.collectionVariables.set('${variable}', pm.response.json().${member})`,
  ),
]

const withVariables = (text: string): string =>
  EXAMPLES_OF_VARIABLES.reduce((all, [example, variable]) => all.replace(example, `{{${variable}}}`), text)

function requestUrl(path: string, parameters: readonly Parameter[], step: CollectionStep) {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, description = '', ...rest }) => ({
      key: name,
      value: step.query?.[name] ?? parameterExample(rest),
      description,
      ...(!required && step.query?.[name] === undefined && { disabled: true }),
    }))
  const variable = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, description = '', ...rest }) => ({
      key: name,
      value: step.path?.[name] ?? parameterExample(rest),
      description,
    }))
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

function parameterExample({ example, schema = {} }: Pick<Parameter, 'example' | 'schema'>): string {
  const value = example ?? schema.example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? schema.default ?? ''
  return withVariables([value].flat().map(String).join(','))
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
