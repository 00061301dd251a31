import { nearest } from './edit-distance.js'
import { problemsError, type Problem } from './errors.js'
import { schemaSentence, type RawSchemaIssue } from './schema-sentence.js'

/** The part of a zod schema needed here; keeps this package free of dependencies. */
export interface OptionsSchema<T> {
  safeParse(
    value: unknown,
    sentences?: { error: (issue: RawSchemaIssue) => string | undefined },
  ): { success: true; data: T } | { success: false; error: { issues: readonly SchemaIssue[] } }
}

export interface SchemaIssue {
  path: readonly PropertyKey[]
  message: string
}

/** Writes a path as people read it: `didDocument.service[0].type`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')

/** The problems that a schema found, as {@link Problem}s. */
export const schemaProblems = (issues: readonly SchemaIssue[]): Problem[] =>
  issues.map(({ path, message }) => ({ path: formatPath(path), message }))

/**
 * {@link schemaSentence} for what operators and developers wrote themselves: unknown keys are named to them, each with the
 * one that was probably meant.
 */
export const optionSentence = (issue: RawSchemaIssue): string | undefined =>
  issue.code === 'unrecognized_keys' ? unknownSentence(issue) : schemaSentence(issue)

function unknownSentence({ keys = [], inst }: RawSchemaIssue): string {
  const schema = inst as { _zod?: { def?: { shape?: object } } } | undefined
  const known = Object.keys(schema?._zod?.def?.shape ?? {})
  return keys.map((name) => unknownOption(name, known)).join('; ')
}

function unknownOption(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return `"${name}" is not known here${near === undefined ? '' : `: did you mean "${near}"?`}`
}

/**
 * Checks the constructor options from `agent.yml`.
 *
 * @throws AgentError `invalid_configuration` with every problem, its path relative to the options
 */
export function parseOptions<T>(schema: OptionsSchema<T>, options: unknown): T {
  const result = schema.safeParse(options, { error: optionSentence })
  if (result.success) return result.data
  throw problemsError('invalid_configuration', schemaProblems(result.error.issues))
}

type Sentence = (issue: RawSchemaIssue) => string | undefined

/**
 * Parses what is usually right: without the sentences first, as zod takes two to four times as long if it is given any.
 *
 * @param sentence - describes an issue of a schema without its own message
 */
export function parseUsual<Result extends { success: boolean }>(
  schema: { safeParse(value: unknown, sentences?: { error: Sentence }): Result },
  value: unknown,
  sentence: Sentence,
): Result {
  const result = schema.safeParse(value)
  return result.success ? result : schema.safeParse(value, { error: sentence })
}

/**
 * Checks the arguments of an agent method.
 *
 * @returns them as they are worked on, such as with DIDs in the spelling of their ledgers
 * @throws AgentError `invalid_input` with every problem, its path relative to the arguments
 */
export function checkArguments<Args>(schema: OptionsSchema<unknown>, args: Args): Args {
  const result = parseUsual(schema, args, optionSentence)
  if (result.success) return result.data as Args
  throw problemsError('invalid_input', schemaProblems(result.error.issues))
}
