import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { refTo } from './error-responses.js'
import { exampleListId } from '../schemas/status-list.js'

const Content = z.string()
const Aggregation = z
  .object({ status_lists: z.array(z.string()) })
  .meta({ id: 'StatusListAggregation', description: 'Token Status List, section 9' })

const shared = {
  tags: ['Resolver'],
  security: [],
} satisfies Record<string, unknown>

const failures = {
  400: refTo('BadRequest'),
  405: refTo('MethodNotAllowed'),
  408: refTo('TooSlow'),
  429: refTo('TooManyRequests'),
  503: refTo('Unavailable'),
}

/** Status lists at their https addresses, without an API key. */
export const PUBLISHED_LIST_PATHS: ZodOpenApiPathsObject = {
  '/status-lists/{statusListId}': {
    get: {
      ...shared,
      operationId: 'status-list-read',
      summary: 'Read a published status list, as verifiers do',
      description: [
        '`accept` selects the form; the default is the signed one. `cache-control` follows the `ttl`',
        'of the list, `content-encoding: gzip` is used if accepted, and each form has its own `etag`. `time`, in seconds',
        'since 1970, or `timestamp` selects the version at that time.',
      ].join('\n'),
      requestParams: {
        path: z.object({ statusListId: z.string().meta({ description: 'Of the list' }) }),
        query: z.object({
          time: z
            .string()
            .optional()
            .meta({ description: 'Seconds since 1970 (Token Status List, section 8.4)' }),
          timestamp: z
            .string()
            .optional()
            .meta({ description: 'Date and time (Bitstring Status List, section 3.2)' }),
        }),
      },
      responses: {
        200: {
          description: 'The list, in the requested form',
          content: {
            'application/statuslist+jwt': { schema: Content, example: 'eyJ...' },
            'application/statuslist+cwt': { schema: Content },
            'application/vc+jwt': { schema: Content, example: 'eyJ...' },
            'application/vc': { schema: z.unknown() },
            'application/vc+ld+json': { schema: z.unknown() },
            'application/json': { schema: z.unknown(), example: {} },
          },
        },
        304: { description: 'Not modified' },
        404: refTo('NotFound'),
        406: refTo('NotAcceptable'),
        ...failures,
      },
    },
  },
  '/status-lists/aggregation': {
    get: {
      ...shared,
      operationId: 'status-list-aggregation',
      summary: 'List the addresses of all token status lists whose identity is their https address',
      requestParams: {
        query: z.object({
          did: z.string().optional().meta({ description: 'Only those of this publisher' }),
        }),
      },
      responses: {
        200: {
          description: 'Their addresses',
          content: {
            'application/json': {
              schema: Aggregation,
              example: { status_lists: [`https://status.example.com/status-lists/${exampleListId}`] },
            },
          },
        },
        304: { description: 'Not modified' },
        ...failures,
      },
    },
  },
}
