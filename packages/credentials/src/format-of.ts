import { hasMethods, type CredentialFormat, type PresentationFormat, type Problem } from '@vidimus/core-types'
import { z } from 'zod'
import { JwtCredentials } from './jwt/jwt-credentials.js'

/** What `agent.yml` accepts as a format. */
const isFormat = (value: unknown): value is CredentialFormat =>
  hasMethods(value, 'recognises', 'read', 'verify', 'prepareIssue')

const aFormat = z.custom<CredentialFormat>(isFormat, { error: 'must be a format of credentials' })

/** The `formats` option of the plugins for credentials and presentations; the first is the default. */
export const FormatsOption = z
  .tuple([aFormat], aFormat)
  .refine((formats) => new Set(formats.map(({ id }) => id)).size === formats.length, {
    error: 'must not contain two formats with the same id',
  })
  .default([JwtCredentials])

/** Finds the format of a document; if none recognizes it, the first one reports the error. */
export const formatOf = <Format extends CredentialFormat | PresentationFormat>(
  formats: readonly Format[],
  shown: unknown,
): Format => {
  const found = formats.find((format) => format.recognises(shown)) ?? formats[0]
  if (!found) throw new RangeError('no format is configured')
  return found
}

/** In the order of their formats. */
export const presentationFormats = (formats: readonly CredentialFormat[]): PresentationFormat[] =>
  formats.flatMap(({ presentations }) => presentations ?? [])

/** Arguments of other formats, which would otherwise be ignored silently. */
export const foreignArguments = <Name extends string>(
  args: Partial<Record<Name, unknown>>,
  names: readonly Name[],
  { id, ownArguments = [] }: Pick<CredentialFormat | PresentationFormat, 'id' | 'ownArguments'>,
): Problem[] =>
  names
    .filter((name) => args[name] !== undefined && !ownArguments.includes(name))
    .map((name) => ({ path: name, message: `is not supported by the format ${id}` }))
