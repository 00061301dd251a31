import { readFileSync } from 'node:fs'
import { isJsonObject, parseForeignJson, parseOptions } from '@vidimus/core-types'
import { z } from 'zod'

/** The built-in contexts, which the worker loads from their authors' packages. */
const BUNDLED = [
  'https://www.w3.org/2018/credentials/v1',
  'https://www.w3.org/ns/credentials/v2',
  'https://www.w3.org/ns/credentials/undefined-terms/v2',
  'https://w3id.org/security/data-integrity/v1',
  'https://w3id.org/security/data-integrity/v2',
  'https://w3id.org/vc/status-list/2021/v1',
  'https://www.w3.org/ns/credentials/status/v1',
]

/** Configured contexts by URL. */
export type ContextFiles = Readonly<Record<string, Record<string, unknown>>>

export interface DataIntegrityOptions {
  /** files with JSON-LD contexts, by context URL, in addition to the built-in ones; contexts are never fetched */
  contexts?: Record<string, string>
}

export const Options = z.strictObject({
  contexts: z
    .record(z.url('must be named by its address'), z.string('must be the path of a file'))
    .default({})
    .transform((files, issues) => {
      const read = Object.entries(files).map(([url, file]) => [url, contextIn(file)] as const)
      for (const [url, context] of read) {
        if (typeof context === 'string') issues.addIssue({ code: 'custom', path: [url], message: context })
      }
      return Object.fromEntries(read) as ContextFiles
    }),
})

/** @throws AgentError `invalid_configuration` */
export const configuredContexts = (options: DataIntegrityOptions): ContextFiles =>
  parseOptions(Options, options).contexts

/** @returns why it is not a context, as text */
function contextIn(file: string): Record<string, unknown> | string {
  try {
    const document = parseForeignJson(readFileSync(file))
    if (isJsonObject(document) && '@context' in document) return document
    return `${file} holds no JSON-LD context: an object with @context`
  } catch (error) {
    return `${file} cannot be read: ${error instanceof Error ? error.message : 'it is not JSON'}`
  }
}

/** Contexts named by a document that are not known here, as text. */
export const unknownContexts = (context: unknown, files: ContextFiles): string[] =>
  [context]
    .flat()
    .filter((one) => typeof one === 'string')
    .filter((one) => !BUNDLED.includes(one) && !Object.hasOwn(files, one))
    .map((one) => JSON.stringify(one))
