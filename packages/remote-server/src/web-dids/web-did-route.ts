import { webDidAt } from '@vidimus/core-types'
import type { Request } from 'express'
import { entityTagOf } from '../answers/entity-tag.js'
import { REVALIDATE } from '../identifiers/cache-control.js'
import { publicAnswer, type PublicAnswer } from '../identifiers/public-answer.js'
import { notThereAnswer, publicReading, type PublicReadingParts } from '../identifiers/public-reading.js'
import type { ServerSettings } from '../options.js'

/** The last path segment of every did:web URL. */
const FILE = '/did.json'

export const isWebDidPath = ({ path }: Pick<Request, 'path'>): boolean => path.endsWith(FILE)

/**
 * Serves the DID documents of did:web DIDs under the public URL publicly, without an API key. The DID follows from the
 * public URL, never from the request: requests for other hosts find nothing.
 *
 * @see did:web Method Specification, "Read (Resolve)"
 */
export const webDidRoute = (
  { agent, publicUrl }: Pick<ServerSettings, 'agent' | 'publicUrl'>,
  parts: PublicReadingParts,
) =>
  publicReading(parts, {
    routeOf: () => '/{path}/did.json',
    nameOf: ({ path }) => path,
    async answer(req, requestId) {
      const did = requestedDid(req, publicUrl)
      const document = did === undefined ? null : await agent.webDidDocument({ did })
      return document
        ? webDidAnswer(document)
        : notThereAnswer('did_not_found', 'no DID document is published at this address', requestId)
    },
  })

/** `undefined` for a host other than that of the public URL, and for a path without a DID. */
function requestedDid(req: Request, publicUrl: string | undefined): string | undefined {
  if (publicUrl === undefined) return undefined
  const url = new URL(publicUrl)
  const asked = `${url.protocol}//${req.headers.host ?? ''}`
  if (!URL.canParse(asked) || new URL(asked).host !== url.host) return undefined
  return webDidAt(new URL(`${publicUrl}${req.path}`))
}

/** The document of a did:web. */
export function webDidAnswer(document: object): PublicAnswer {
  const body = JSON.stringify(document)
  const headers = {
    'content-type': 'application/did+ld+json',
    'cache-control': REVALIDATE,
    etag: entityTagOf(body),
  }
  return publicAnswer(200, headers, body)
}
