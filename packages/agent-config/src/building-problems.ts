import { formatPath, isAgentError } from '@vidimus/core-types'
import { z } from 'zod'
import type { ConfigNode } from './config-node.js'
import type { LocatedProblem } from './configuration-error.js'
import type { ConfigurationDocument } from './document.js'
import { pointerAsPath } from './json-pointer.js'
import { locateKey, locateOptions, locateValue, type ValuePlace } from './locate.js'
import type { PlannedObject, Plans } from './planner.js'
import { referenceName } from './require-reference.js'

/** One thing that an object dislikes about its options. */
interface Dislike {
  path: string | readonly PropertyKey[]
  message: string
  /** keys of the map at `path` that are not known */
  keys?: readonly string[]
}

// Also of a zod that another package brought along, whose classes are not ours.
const ZodErrorShape = z.object({
  name: z.enum(['ZodError', '$ZodError']),
  issues: z
    .array(
      z.object({
        path: z.array(z.union([z.string(), z.number(), z.symbol()])),
        message: z.string(),
        keys: z.array(z.string()).optional(),
      }),
    )
    .min(1),
})

/** Whether an error from building or starting an object is a configuration error. */
export const isConfigurationMistake = (error: unknown): boolean =>
  (isAgentError(error) && (error.code === 'invalid_configuration' || error.code === 'wrong_secret')) ||
  ZodErrorShape.safeParse(error).success

/** Reports where in the file the cause of an object's error is. */
export class BuildingProblems {
  constructor(
    readonly document: ConfigurationDocument,
    readonly plans: Plans,
  ) {}

  /**
   * @param error - thrown when building or starting the object
   * @param isIgnored - whether to report nothing about a path in the options
   */
  of(
    object: PlannedObject,
    error: unknown,
    isIgnored?: (path: string | readonly PropertyKey[]) => boolean,
  ): LocatedProblem[] {
    const dislikes = readDislikes(error).filter(({ path }) => !isIgnored?.(path))
    if (isIgnored && dislikes.length === 0) return []
    if (dislikes.length > 0 && object.args.length > 0) {
      return dislikes.flatMap((dislike) => this.#fromDislike(object, dislike))
    }
    if (dislikes.length > 0) return dislikes.map(({ message }) => this.at(object, message))
    if (isAgentError(error)) return [this.at(object, error.message)]
    // Before it is put on one line and cut: part of a secret would no longer be recognised.
    const text = onOneLine(this.document.redaction.apply(messageOrText(error)))
    return [
      this.at(
        object,
        `"${referenceName(object.reference)}" could not be built: ${text}`,
        failingModule(error),
      ),
    ]
  }

  /** A problem of the object as a whole. */
  at({ node, text }: PlannedObject, message: string, advice?: string): LocatedProblem {
    return this.document.source.problem({
      at: text.start,
      path: pointerAsPath(node.pointer),
      message: this.document.redaction.apply(message),
      ...(advice !== undefined && { advice }),
    })
  }

  #fromDislike(object: PlannedObject, { path, message, keys }: Dislike): LocatedProblem[] {
    const options = locateOptions(object.args, this.plans)
    if (!options) return [this.at(object, message)]
    const inOptions = (text: string, place: ValuePlace) => this.#inOptions(object, options, path, text, place)
    if (!keys) return [inOptions(message, locateValue(options, path, this.plans))]
    const sentences = message.split('; ')
    return keys.map((key) => {
      const own = sentences.find((sentence) => sentence.startsWith(`"${key}" is not`))
      return inOptions(own ?? `"${key}" is not known here`, locateKey(options, path, key, this.plans))
    })
  }

  #inOptions(
    { reference }: PlannedObject,
    options: ConfigNode,
    path: string | readonly PropertyKey[],
    message: string,
    { node, keyStart, origin }: ValuePlace,
  ): LocatedProblem {
    const inside = typeof path === 'string' ? path : formatPath(path)
    const separator = inside === '' || inside.startsWith('[') ? '' : '.'
    const source = origin === undefined ? '' : `; its value comes from ${origin}`
    return this.document.source.problem({
      at: keyStart ?? node.start,
      path: `${pointerAsPath(options.pointer)}${separator}${inside}`,
      message: this.document.redaction.apply(message),
      advice: `this is what "${referenceName(reference)}" expects${source}`,
    })
  }
}

function readDislikes(error: unknown): Dislike[] {
  const zodError = ZodErrorShape.safeParse(error)
  if (zodError.success) {
    return zodError.data.issues.map(({ path, message, keys }) => ({ path, message, ...(keys && { keys }) }))
  }
  if (!isAgentError(error) || !isConfigurationMistake(error)) return []
  return error.details.map(({ path, message }) => {
    const keys = unknownKeys(message)
    return { path, message, ...(keys && { keys }) }
  })
}

// An AgentError created from zod's issues only has their text, and the caret belongs below the wrong key.
function unknownKeys(message: string): string[] | undefined {
  const isZods = /^Unrecognized keys?: /.test(message)
  const named = isZods ? /"((?:[^"\\]|\\.)*)"/g : /(?:^|; )"((?:[^"\\]|\\.)*)" is not known here/g
  const keys = [...message.matchAll(named)].map(([, key]) => key ?? '')
  return keys.length > 0 ? keys : undefined
}

const LONGEST_MESSAGE = 500

const messageOrText = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error)

const onOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ').slice(0, LONGEST_MESSAGE)

// Only the first frame: it leads to the cause, and unlike messages and causes it contains no values.
function failingModule(error: unknown): string | undefined {
  if (!(error instanceof Error) || !error.stack?.includes(error.message)) return undefined
  const frames = error.stack.slice(error.stack.indexOf(error.message) + error.message.length)
  const frame = /^ +(at .*:\d+:\d+\)?)$/m.exec(frames)?.[1]
  return frame && `thrown ${frame}`
}
