import { atPaths, BOUNDS, problemsError } from '@vidimus/core-types'
import { linkedResourceMethods, mayCost } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { contradictions } from '../registrar/registrar-method.js'
import { Network } from '../schemas/did.js'
import { did } from '../schemas/primitives.js'
import { exampleResourceMetadata, ResourceMetadata } from '../schemas/status-list.js'
import { mustHoldSigners, signers } from './signers.js'
import { withoutUndefined } from './without-undefined.js'

/** Encodings of resource content in a request. */
export const CONTENT_ENCODINGS = ['base64url', 'base64', 'hex', 'utf-8'] as const
type ContentEncoding = (typeof CONTENT_ENCODINGS)[number]

interface Form {
  /** whether a text is valid in this encoding */
  form: RegExp
  is: string
  /** @param text - in the encoding above */
  decode: (text: string) => Buffer
}

const FORMS: Readonly<Record<ContentEncoding, Form>> = {
  base64url: {
    form: /^[A-Za-z0-9_-]*={0,2}$/,
    is: 'base64url',
    decode: (text) => Buffer.from(text, 'base64url'),
  },
  base64: { form: /^[A-Za-z0-9+/]*={0,2}$/, is: 'base64', decode: (text) => Buffer.from(text, 'base64') },
  hex: {
    form: /^(?:[0-9a-fA-F]{2})*$/,
    is: 'hexadecimal, two digits for each byte',
    decode: (text) => Buffer.from(text, 'hex'),
  },
  'utf-8': { form: /^/, is: 'text', decode: (text) => Buffer.from(text, 'utf8') },
}

/**
 * The resource content of a request.
 *
 * @returns base64url without padding
 * @throws AgentError `invalid_input` at `data` if it is malformed, empty or too long
 */
export function readContent(data: string, encoding: ContentEncoding): string {
  const { form, is, decode } = FORMS[encoding]
  if (!form.test(data) || !hasWholeBytes(data, encoding)) throw refused(`must be ${is}, as set by encoding`)
  const content = decode(data)
  if (content.length === 0) throw refused('must have at least one byte')
  if (content.length > BOUNDS.resourceBytes)
    throw refused(`must have at most ${BOUNDS.resourceBytes} bytes of content, not ${content.length}`)
  return content.toString('base64url')
}

/** A final group of one character would carry only six bits; with padding, groups have four. */
function hasWholeBytes(data: string, encoding: ContentEncoding): boolean {
  if (encoding !== 'base64' && encoding !== 'base64url') return true
  const bare = data.replace(/=+$/, '')
  return bare.length % 4 !== 1 && (bare.length === data.length || data.length % 4 === 0)
}

const refused = (message: string) => problemsError('invalid_input', [{ path: 'data', message }])

const fields = linkedResourceMethods.linkedResourceCreate.arguments.shape

export const resourceCreate = defineOperation({
  id: 'resource-create',
  method: 'post',
  path: '/resource/create/{did}',
  tag: 'Resources',
  summary: 'Publish a DID-Linked Resource',
  description: [
    'Publishes a resource of a DID of the account, such as a schema, or a new version of the resource with this name and type.',
    'Its media type is detected from its content. Use the status list operations for status lists: a version that',
    'would follow one is rejected (`list_exists`).',
    '',
    `The content has at most ${BOUNDS.resourceBytes} bytes, and the request at most \`limits.bodyBytes\` of the service.`,
  ].join('\n'),
  needs: ['linkedResourceCreate', 'linkedResourceGet', 'keyManagerGet'],
  changes: true,
  mayCost: true,
  params: z.strictObject({ did: did('A DID of the account that publishes the resource') }),
  body: z.strictObject({
    name: fields.resourceName,
    type: fields.resourceType,
    data: z.string().min(1, 'must be a non-empty string').meta({ description: 'The content' }),
    encoding: z.enum(CONTENT_ENCODINGS).meta({ description: 'Encoding of `data`' }),
    version: fields.resourceVersion,
    alsoKnownAs: fields.alsoKnownAs,
    network: Network.optional().meta({ description: 'Must be the network of the DID' }),
    publicKeyHexs: signers(),
  }),
  response: z.object({ resource: ResourceMetadata, ...mayCost }).meta({ id: 'ResourceCreateResult' }),
  status: 201,
  responseExample: { resource: { ...exampleResourceMetadata, resourceType: 'JSONSchema' } },
  examples: [
    {
      summary: 'A schema',
      body: {
        name: 'degree',
        type: 'JSONSchema',
        data: '{"type":"object"}',
        encoding: 'utf-8',
        version: '1',
      },
    },
  ],
  notFound: ['did_not_found'],
  async run({ params: { did }, body, agent }) {
    const { name, type, data, encoding, version, alsoKnownAs, network, publicKeyHexs } = body
    const [contradiction] = contradictions({ did, network })
    if (contradiction) throw problemsError('invalid_input', [{ ...contradiction, path: 'network' }])
    const content = readContent(data, encoding)
    await mustHoldSigners(agent, publicKeyHexs)
    const optional = withoutUndefined({ resourceVersion: version, alsoKnownAs })
    const args = { did, resourceName: name, resourceType: type, data: content, ...optional }
    const { cost: _cost, ...resource } = await atPaths(resourceField, () => agent.linkedResourceCreate(args))
    return { resource }
  },
})

/** `resourceName` is called `name` here. */
const resourceField = (path: string) =>
  path.replace(/^resource(Name|Type|Version)$/, (_, name: string) => name.toLowerCase())
