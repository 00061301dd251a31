import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** A request as a client sends it. */
export interface Request {
  query?: Record<string, string | string[]>
  /** sent as JSON */
  json?: unknown
  /** sent as a form; lists as repeated fields */
  form?: Record<string, string | string[]>
  /** sent as it is */
  body?: string | Buffer
  headers?: Record<string, string>
  /** another key than the client's own; `null`: none */
  apiKey?: string | null
  /** the connection is closed then, whatever has arrived */
  signal?: AbortSignal
}

/** What a test expects it to be, it says itself. */
export type Body = unknown

export interface Answer {
  status: number
  headers: Headers
  body: Body
}

interface OpenApi {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >
  components?: object
}

/** Calls the service and holds every answer against its own API document. */
export class Client {
  private turn = 0

  protected constructor(
    readonly url: string,
    protected readonly apiKey: string | undefined,
    readonly openApi: OpenApi,
    private readonly copies: readonly string[] = [],
  ) {}

  /** @param copies - URLs of further processes of the same service, which take turns with the first */
  static async of(url: string, apiKey?: string, copies: readonly string[] = []): Promise<Client> {
    const response = await fetch(`${url}/openapi.json`)
    return new Client(url, apiKey, documentOf(await response.text()), copies)
  }

  /** The same service with another key. */
  as(apiKey: string): Client {
    return new Client(this.url, apiKey, this.openApi, this.copies)
  }

  post(path: string, request: Request = {}): Promise<Answer> {
    return this.call('POST', path, request)
  }

  get(path: string, request: Request = {}): Promise<Answer> {
    return this.call('GET', path, request)
  }

  /** A call that must succeed. @returns the body */
  async ok(method: 'GET' | 'POST' | 'DELETE', path: string, request: Request = {}): Promise<Body> {
    const { status, body } = await this.call(method, path, request)
    assert.equal(status, 200, `${method} ${path}: ${JSON.stringify(body)}`)
    return body
  }

  async call(method: string, path: string, request: Request = {}): Promise<Answer> {
    const response = await fetch(this.nextUrl() + path + queryText(request.query), {
      method,
      headers: this.headersOf(request),
      ...bodyOf(request),
      ...(request.signal && { signal: request.signal }),
      redirect: 'manual',
    })
    const text = await response.text()
    const json = text !== '' && /json|^application\/did/.test(response.headers.get('content-type') ?? '')
    const answer = {
      status: response.status,
      headers: response.headers,
      body: json ? (JSON.parse(text) as unknown) : text,
    }
    if (['GET', 'POST', 'DELETE'].includes(method)) this.validate(method, path, answer)
    return answer
  }

  /** An answer that does not end by itself. */
  stream(path: string, request: Request & { signal: AbortSignal }): Promise<Response> {
    return fetch(this.nextUrl() + path + queryText(request.query), {
      headers: this.headersOf(request),
      signal: request.signal,
    })
  }

  private nextUrl(): string {
    const urls = [this.url, ...this.copies]
    return urls[this.turn++ % urls.length] ?? this.url
  }

  private headersOf({ headers, apiKey, json, form }: Request): Record<string, string> {
    const key = apiKey === undefined ? this.apiKey : apiKey
    return {
      ...(key && { 'x-api-key': key }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    }
  }

  protected validate(method: string, path: string, { status, body, headers }: Answer): void {
    const template = templateOf(this.openApi, path)
    const responses = template && this.openApi.paths[template]?.[method.toLowerCase()]?.responses
    if (!responses) return
    const described = responses[String(status)] as { $ref?: string } | undefined
    assert.ok(described, `${method} ${template} answered ${status}, which its description does not know`)
    const { content = {} } = this.resolve(described)
    const type = headers.get('content-type') ?? ''
    const [mediaType = ''] = type.split(';')
    const named = [type, mediaType, 'application/json'].find((each) => content[each]?.schema)
    if (named === undefined) return
    const home =
      described.$ref?.slice(1) ?? pointer('paths', template, method.toLowerCase(), 'responses', status)
    const validator = validatorOf(this.openApi, `${home}${pointer('content', named, 'schema')}`)
    assert.ok(
      validator(body),
      `${method} ${template} ${status}: ${JSON.stringify(validator.errors)}\n${JSON.stringify(body)}`,
    )
  }

  private resolve(described: { $ref?: string; content?: Record<string, { schema: object }> }) {
    if (!described.$ref) return described
    const name = described.$ref.split('/').at(-1) ?? ''
    const components = this.openApi.components as { responses: Record<string, typeof described> }
    return components.responses[name] ?? {}
  }
}

const documents = new Map<string, OpenApi>()

/** One object for one text, so that what is compiled of it serves every client and service. */
function documentOf(text: string): OpenApi {
  const document = documents.get(text) ?? (JSON.parse(text) as OpenApi)
  documents.set(text, document)
  return document
}

const compiled = new WeakMap<OpenApi, Ajv2020>()

/** A schema of the document; compiling it costs more than most requests, and is done once for a document. */
function validatorOf(document: OpenApi, place: string): ValidateFunction {
  const known = compiled.get(document)
  // The document itself is checked where it is made.
  const ajv = known ?? new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
  if (!known) {
    addFormats.default(ajv)
    ajv.addSchema(document, 'api')
    compiled.set(document, ajv)
  }
  return ajv.getSchema(`api#${place}`) ?? assert.fail(`${place} is not in the document`)
}

const pointer = (...steps: (string | number)[]) =>
  steps
    .map((step) => `/${encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('')

const templates = new WeakMap<OpenApi, (readonly [template: string, matching: RegExp])[]>()

/** Patterns are made once for a document: there are two hundred, and every answer asks for one. */
function templateOf(document: OpenApi, path: string): string | undefined {
  const known =
    templates.get(document) ??
    Object.keys(document.paths).map(
      (template) => [template, new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`)] as const,
    )
  templates.set(document, known)
  return known.find(([, matching]) => matching.test(path))?.[0]
}

function queryText(query: Request['query'] = {}): string {
  const parameters = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  )
  return parameters.size > 0 ? `?${parameters.toString()}` : ''
}

function bodyOf({ json, form, body }: Request): { body?: string | Buffer } {
  if (body !== undefined) return { body }
  if (json !== undefined) return { body: JSON.stringify(json) }
  if (form) return { body: queryText(form).slice(1) }
  return {}
}
