import { BOUNDS } from '@vidimus/core-types'
import { textOfBytes } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { exampleDid } from '../schemas/did.js'
import { exampleResourceMetadata } from '../schemas/status-list.js'

export const did = z.string().meta({
  description: 'A DID, plain or percent-encoded; `%23` and a fragment name a part of its document',
  example: exampleDid,
})
export const uuid = (description: string) =>
  z.uuid().meta({ description, example: exampleResourceMetadata.resourceId })
const text = (description: string) => z.string().min(1).optional().meta({ description })
const name = (description: string) => {
  const { description: said } = textOfBytes(description, BOUNDS.resourceNameBytes).meta() ?? {}
  return textOfBytes(description, BOUNDS.resourceNameBytes).optional().meta({ description: said })
}
const time = (description: string) =>
  z.string().optional().meta({ description, example: '2026-01-31T12:00:00Z' })
const flag = (description: string) => z.enum(['true', 'false']).optional().meta({ description })

export const query = z.object({
  resourceName: name('Name of a DID-Linked Resource, such as a status list'),
  resourceType: name('Its type; may be omitted if only one type has this name'),
  resourceVersion: name('Version set by its publisher'),
  resourceVersionTime: time('The version at that time; aliases: `timestamp`, and `time` in Unix seconds'),
  resourceId: z.uuid().optional().meta({ description: 'One fixed version' }),
  resourceCollectionId: text('Must be the identifier of the DID'),
  checksum: z.string().optional().meta({ description: 'SHA-256 of the content, in hex' }),
  resourceMetadata: flag('`true`: return the metadata instead of the content'),
  versionId: z.uuid().optional().meta({ description: 'A version of the DID document' }),
  versionTime: time('The version of the DID document at that time'),
  transformKeys: z
    .enum(['Ed25519VerificationKey2018', 'Ed25519VerificationKey2020', 'JsonWebKey2020'])
    .optional()
    .meta({ description: 'Converts the verification methods to this type' }),
  service: text('Fragment of a service: redirects to its endpoint'),
  relativeRef: text('Appended to the endpoint of the service'),
  metadata: flag('`true`: return the metadata of the DID document instead'),
  timestamp: time('Alias of resourceVersionTime'),
  time: z.string().optional().meta({ description: 'Alias of resourceVersionTime, in seconds since 1970' }),
})

/** A number or a boolean is equivalent to its text. */
export const options = query.extend({ accept: text('Alias of the header') })
