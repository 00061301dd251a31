import { AgentError, problemsError, type DidUrlResult, type Problem } from '@vidimus/core-types'
import { pageEnd } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { contentStreamOf, dereferencingBody } from '../identifiers/result-bodies.js'
import { defineOperation } from '../operation.js'
import { exampleDid } from '../schemas/did.js'
import { pageFields } from '../schemas/page.js'
import { did, object, text } from '../schemas/primitives.js'
import { exampleResourceMetadata } from '../schemas/status-list.js'
import type { ServiceAgent } from '../service-agent.js'
import { mustBeThere } from './resolved-document.js'
import { withoutUndefined } from './without-undefined.js'

const choice = {
  resourceId: text('Id of one version').optional(),
  resourceName: text('Name of the resource').optional(),
  resourceType: text('Type of the resource').optional(),
  resourceVersion: text('Version, set by the publisher').optional(),
  resourceVersionTime: text('The version at this time: RFC 3339').optional(),
  checksum: text('Hex SHA-256 of the content').optional(),
}

const Query = z.strictObject({
  ...choice,
  resourceMetadata: z.boolean().default(false).meta({ description: 'Metadata, without the content' }),
  ...pageFields('resources'),
})
type Query = z.output<typeof Query>

export const resourceSearch = defineOperation({
  id: 'resource-search',
  method: 'get',
  path: '/resource/search/{did}',
  tag: 'Resources',
  summary: 'Read resources of a DID',
  description: [
    'The resource selected by the query, whoever publishes it, as a DID URL dereferencing result: JSON as it is, text as',
    'text, everything else in base64. With `resourceMetadata=true`, only its metadata.',
    '',
    'If nothing is selected, or only the type with `resourceMetadata=true`: a page of the resources, each with the metadata of',
    'its newest version, ordered by name. The bare content is at GET /1.0/identifiers/{did}.',
  ].join('\n'),
  needs: ['didUrlDereference', 'linkedResourceGet', 'linkedResourceListNewest', 'resolveDid'],
  changes: false,
  params: z.strictObject({ did: did('The DID that publishes them') }),
  query: Query,
  response: z
    .object({
      '@context': z.string(),
      dereferencingMetadata: object('About the dereferencing'),
      contentStream: z.unknown().meta({ description: 'The content; `null` if metadata are requested' }),
      contentMetadata: object(
        'Metadata of the resource; of a page `linkedResourceMetadata`, a list of metadata',
      ),
      ...pageEnd,
      total: pageEnd.total.optional(),
    })
    .meta({ id: 'ResourceSearchResult' }),
  responseExample: dereferencingBody({ type: 'object' }, exampleResourceMetadata, {
    didUrl: `${exampleDid}?resourceName=my-list`,
    contentType: exampleResourceMetadata.mediaType,
    now: new Date('2026-01-31T09:30:00Z'),
  }),
  notFound: ['resource_not_found', 'did_not_found'],
  async run({ params: { did }, query, agent }) {
    const { resourceMetadata, page, after, limit, ...chosen } = query
    const names = Object.entries(chosen).filter(([, value]) => value !== undefined)
    const isListing = names.every(([name]) => name === 'resourceType' && resourceMetadata)
    if (isListing) return listing(did, query, agent)
    const problems = Object.entries({ page, after }).flatMap(([path, value]): Problem[] =>
      value === undefined ? [] : [{ path, message: 'does not apply if a resource is selected' }],
    )
    if (problems.length > 0) throw problemsError('invalid_input', problems)
    const parameters = names.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`)
    if (resourceMetadata) parameters.push('resourceMetadata=true')
    const didUrl = `${did}?${parameters.join('&')}`
    return writeBody(didUrl, await agent.didUrlDereference({ didUrl }), agent)
  },
})

async function listing(did: string, { resourceType, ...query }: Query, agent: ServiceAgent) {
  const { limit, page, after } = query
  const { resources, ...rest } = await agent.linkedResourceListNewest({
    did,
    ...(resourceType !== undefined && { resourceTypes: [resourceType] }),
    ...withoutUndefined({ limit, page, after }),
  })
  if (rest.total === 0) await mustBeThere(agent, did)
  const linkedResourceMetadata = resources.map(({ metadata }) => metadata)
  const origin = { didUrl: did, contentType: 'application/json', now: new Date() }
  return { ...dereferencingBody(null, { linkedResourceMetadata }, origin), ...rest }
}

async function writeBody(didUrl: string, result: DidUrlResult, agent: ServiceAgent) {
  if (result.found === 'nothing') throw failure(result)
  if (result.found !== 'resource' && result.found !== 'resourceMetadata') {
    throw failure({ error: 'invalidDidUrl', message: 'it does not name a resource' })
  }
  const { metadata } = result
  const origin = { didUrl, contentType: metadata.mediaType, now: new Date() }
  if (result.found === 'resourceMetadata') return dereferencingBody(null, metadata, origin)
  const [did = ''] = metadata.resourceURI.split('/')
  const resource = await agent.linkedResourceGet({ did, resourceId: metadata.resourceId })
  if (resource) return dereferencingBody(contentStreamOf(resource), metadata, origin)
  throw failure({ error: 'notFound', message: 'the content of the resource is not stored' })
}

/** Uses the codes of the service: this is an account operation, not a resolver. */
function failure({ error, message }: { error: string; message: string }): AgentError {
  if (error === 'notFound') return new AgentError('resource_not_found', `resource: ${message}`)
  return problemsError('invalid_input', [{ path: 'did', message: `cannot be looked up: ${message}` }])
}
