import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'
import { OPTIONS_TYPES } from '../identifiers/posted-options.js'
import { exampleDid } from '../schemas/did.js'
import { exampleResourceMetadata } from '../schemas/status-list.js'
import { refTo } from './error-responses.js'
import { did, options, query, uuid } from './identifier-parameters.js'
import {
  DereferencingResult,
  Document,
  Failure,
  ResolutionResult,
  type Metadata,
} from './identifier-schemas.js'

const didResolution = 'application/ld+json;profile="https://w3id.org/did-resolution"'
const dereferencing = 'application/ld+json;profile="https://w3id.org/did-url-dereferencing"'

const origin = {
  contentType: 'application/did+ld+json',
  retrieved: '2026-01-31T09:30:05Z',
  did: { didString: exampleDid, methodSpecificId: exampleDid.slice(18), method: 'cheqd' },
}
const documentMetadata = {
  created: '2026-01-31T09:30:00Z',
  versionId: '0b1a6f2c-6f2e-4d5f-8c2a-7c0d3c1c9b60',
}
const document = { '@context': ['https://www.w3.org/ns/did/v1'], id: exampleDid, controller: [exampleDid] }
const resolution = {
  '@context': 'https://w3id.org/did-resolution/v1' as const,
  didDocument: document,
  didResolutionMetadata: origin,
  didDocumentMetadata: documentMetadata,
}
const dereferenced = (contentStream: unknown, contentMetadata: Record<string, unknown>) => ({
  '@context': 'https://w3id.org/did-resolution/v1' as const,
  dereferencingMetadata: origin,
  contentStream,
  contentMetadata,
})

const failure = (description: string, error: z.output<typeof Metadata>['error'], message: string) => ({
  description,
  content: {
    'application/json': {
      schema: Failure,
      example: {
        '@context': 'https://w3id.org/did-resolution/v1' as const,
        didDocument: null,
        didResolutionMetadata: { ...origin, error, message },
        didDocumentMetadata: {},
      },
    },
  },
})

const failures = {
  400: failure('The DID or DID URL is invalid', 'invalidDid', 'it does not begin with a DID'),
  404: failure('Not found', 'notFound', 'the DID or version does not exist on the ledger'),
  405: refTo('MethodNotAllowed'),
  408: refTo('TooSlow'),
  429: refTo('TooManyRequests'),
  406: failure(
    'The representation is not available',
    'representationNotSupported',
    'its media type is text/plain',
  ),
  500: failure('Internal error', 'internalError', 'internal error'),
  501: failure(
    'This DID method, or the type of the key of the DID, is not supported here',
    'methodNotSupported',
    'did:web is not resolved publicly here',
  ),
  503: failure(
    'It cannot be determined now',
    'internalError',
    'it cannot be determined now; try again in a moment',
  ),
}

const results = (schema: z.ZodType, example: unknown) => ({
  'application/json': { schema, example },
  [didResolution]: { schema, example },
})
const anything = { schema: z.unknown() }
const content = {
  'application/octet-stream': anything,
  'text/plain': anything,
  'application/vc+jwt': anything,
}
const notModified = { 304: { description: 'Not modified, according to the entity tag in if-none-match' } }

const operation = (
  definition: Pick<
    ZodOpenApiOperationObject,
    'operationId' | 'summary' | 'requestParams' | 'requestBody' | 'responses'
  > & {
    description?: string
  },
): ZodOpenApiOperationObject => ({
  tags: ['Resolver'],
  security: [],
  ...definition,
  responses: { ...definition.responses, ...failures },
})

const partOperation = (
  operationId: string,
  summary: string,
  path: Record<string, z.ZodType>,
  [contentStream, contentMetadata]: [unknown, Record<string, unknown>],
) =>
  operation({
    operationId,
    summary,
    requestParams: { path: z.object({ did, ...path }) },
    responses: {
      200: {
        description: 'The metadata',
        content: results(DereferencingResult, dereferenced(contentStream, contentMetadata)),
      },
    },
  })

const DESCRIPTION = [
  'The response depends on `accept`: a DID resolution result by default, the bare document for',
  '`application/did+ld+json`, `application/did+json`, `application/did` or no `accept` at all. With parameters of a',
  'resource it is the content of the newest matching version, under the media type of the ledger, or under that',
  'of its status list type if `accept` names it. Empty, repeated or unknown parameters are rejected.',
].join('\n')

const gone = {
  description: 'The DID is deactivated; the body is the same as with 200',
  content: {
    [didResolution]: {
      schema: ResolutionResult,
      example: { ...resolution, didDocumentMetadata: { ...documentMetadata, deactivated: true } },
    },
    'application/did-resolution': { schema: ResolutionResult },
    'application/json': { schema: ResolutionResult },
    'application/did+ld+json': { schema: Document, example: document },
    'application/did+json': { schema: Document },
    'application/did': { schema: Document },
  },
}

/** The resource that a DID or DID URL identifies. */
const LEADS_TO: ZodOpenApiOperationObject['responses'] = {
  200: {
    description: 'The result, the document, or the content of the resource',
    content: {
      [didResolution]: { schema: Failure, example: resolution },
      'application/did-resolution': { schema: ResolutionResult, example: resolution },
      'application/did+ld+json': { schema: Document, example: document },
      'application/did+json': { schema: Document, example: { id: exampleDid } },
      'application/did': { schema: Document, example: document },
      'application/json': { schema: z.unknown(), example: resolution },
      ...content,
    },
  },
  301: { description: 'The DID has a new identifier' },
  303: { description: 'The endpoint of the service' },
  410: gone,
  ...notModified,
}

/** Public paths for verifiers, without an API key. */
export const IDENTIFIER_PATHS: ZodOpenApiPathsObject = {
  '/1.0/methods': {
    get: {
      operationId: 'did-methods',
      tags: ['Resolver'],
      summary: 'List the DID methods that are resolved publicly',
      security: [],
      responses: {
        200: {
          description: 'Their names',
          content: { 'application/json': { schema: z.array(z.string()), example: ['cheqd', 'jwk', 'key'] } },
        },
        405: refTo('MethodNotAllowed'),
        408: refTo('TooSlow'),
        429: refTo('TooManyRequests'),
      },
    },
  },
  '/1.0/identifiers/{did}': {
    get: operation({
      operationId: 'did-resolve',
      summary: 'Resolve a DID, or dereference a DID URL with parameters',
      description: DESCRIPTION,
      requestParams: { path: z.object({ did }), query },
      responses: LEADS_TO,
    }),
    post: operation({
      operationId: 'did-resolve-with-options',
      summary: 'Resolve with the options in the body',
      description:
        'DID Resolution, HTTPS binding: the body has the query parameters of GET as members, and `accept` for clients that cannot send this header.',
      requestParams: { path: z.object({ did }) },
      requestBody: {
        content: Object.fromEntries(OPTIONS_TYPES.map((type) => [type, { schema: options, example: {} }])),
      },
      responses: {
        ...LEADS_TO,
        408: failure(
          'The body did not arrive in time',
          'invalidOptions',
          'the body did not arrive within 30000 ms',
        ),
        413: failure(
          'The body is too large',
          'invalidOptions',
          'the body is larger than the limit of 4096 bytes',
        ),
        415: failure(
          'The content type of the body is not supported',
          'invalidOptions',
          'content-type: must be application/json',
        ),
      },
    }),
  },
  '/1.0/identifiers/{did}/resources/{resourceId}': {
    get: operation({
      operationId: 'resource-read',
      summary: 'Read one version of a DID-Linked Resource',
      requestParams: { path: z.object({ did, resourceId: uuid('Of the version') }) },
      responses: {
        200: {
          description: 'Its content',
          content: {
            [dereferencing]: {
              schema: DereferencingResult,
              example: dereferenced({}, exampleResourceMetadata),
            },
            'application/json': { schema: z.unknown(), example: {} },
            ...content,
          },
        },
        ...notModified,
      },
    }),
  },
  '/1.0/identifiers/{did}/resources/{resourceId}/metadata': {
    get: partOperation(
      'resource-metadata',
      'Read the metadata of one version of a DID-Linked Resource',
      { resourceId: uuid('Of the version') },
      [null, exampleResourceMetadata],
    ),
  },
  '/1.0/identifiers/{did}/version/{versionId}': {
    get: operation({
      operationId: 'did-version',
      summary: 'Resolve one version of a DID document',
      requestParams: { path: z.object({ did, versionId: uuid('Of the version') }) },
      responses: {
        200: {
          description: 'The result, or the document',
          content: {
            [didResolution]: { schema: ResolutionResult, example: resolution },
            'application/json': { schema: ResolutionResult, example: resolution },
            'application/did+ld+json': { schema: Document, example: document },
          },
        },
        410: gone,
        ...notModified,
      },
    }),
  },
  '/1.0/identifiers/{did}/version/{versionId}/metadata': {
    get: partOperation(
      'did-version-metadata',
      'Read the metadata of one version of a DID document',
      { versionId: uuid('Of the version') },
      [documentMetadata, {}],
    ),
  },
  '/1.0/identifiers/{did}/versions': {
    get: partOperation(
      'did-versions',
      'List the versions of a DID document, oldest first, at most 1000; continue with `?after=` and the `next` of the response',
      {},
      [{ versions: [documentMetadata] }, {}],
    ),
  },
  '/1.0/identifiers/{did}/metadata': {
    get: partOperation(
      'did-metadata',
      'Read the metadata of a DID document, with the versions of all resources of the DID, oldest first, at most 1000; continue with `?after=` and `linkedResourceMetadataNext`',
      {},
      [{ ...documentMetadata, linkedResourceMetadata: [exampleResourceMetadata] }, {}],
    ),
  },
}
