import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { refTo } from './error-responses.js'

const Readiness = z
  .object({
    ready: z.boolean(),
    state: z.enum(['starting', 'running', 'stopping']),
    durationMs: z.number(),
    checks: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        message: z.string().optional(),
        warning: z.literal(true).optional().meta({
          description: 'The failure does not affect reads: the service is still ready',
        }),
        local: z.literal(true).optional().meta({
          description:
            'Of a ledger: its DIDs are not on a public network and resolve only at this installation',
        }),
      }),
    ),
  })
  .meta({ id: 'Readiness' })

const readiness = (description: string, ready: boolean) => ({
  description,
  content: {
    'application/json': {
      schema: Readiness,
      example: { ready, state: 'running', durationMs: 1.4, checks: [{ name: 'database', ok: ready }] },
    },
  },
})

const json = (description: string, example: object) => ({
  description,
  content: { 'application/json': { schema: z.record(z.string(), z.unknown()), example } },
})

/** Public paths, served without an API key. */
export const PUBLIC_PATHS: ZodOpenApiPathsObject = {
  '/health/live': {
    get: {
      operationId: 'health-live',
      tags: ['Service'],
      summary: 'Check whether the process responds',
      security: [],
      responses: { 200: json('It does', { alive: true }), 405: refTo('MethodNotAllowed') },
    },
  },
  '/health/ready': {
    get: {
      operationId: 'health-ready',
      tags: ['Service'],
      summary: 'Check whether the service is ready',
      description:
        'Checks at most once a second; a success is valid for up to 5 seconds, and only two consecutive failures are a 503.',
      security: [],
      responses: {
        200: readiness('It can', true),
        405: refTo('MethodNotAllowed'),
        503: readiness('Not ready: the service is starting or stopping, or a check fails', false),
      },
    },
  },
  '/openapi.json': {
    get: {
      operationId: 'api-document',
      tags: ['Service'],
      summary: 'Read this document',
      security: [],
      responses: {
        200: json('The document', { openapi: '3.1.0' }),
        405: refTo('MethodNotAllowed'),
        408: refTo('TooSlow'),
        429: refTo('TooManyRequests'),
      },
    },
  },
  '/open-api.json': {
    get: {
      operationId: 'agent-document',
      tags: ['Service'],
      summary: 'Read the document of the remote agent methods',
      description:
        'Other Veramo agents call methods of this one at `POST /agent/{method}`, as described by this document.',
      security: [],
      responses: {
        200: json('The document', { openapi: '3.1.0' }),
        405: refTo('MethodNotAllowed'),
        408: refTo('TooSlow'),
        429: refTo('TooManyRequests'),
      },
    },
  },
}
