import { isDeepStrictEqual } from 'node:util'
import { AgentError, parseUsual, problemsError, schemaSentence, type Problem } from '@vidimus/core-types'
import { z } from 'zod'
import { MOST_DETAILS } from '../errors/error-body.js'
import type { FieldsSchema, Operation } from '../operation.js'
import { decodeFields } from './decode-fields.js'
import { decodeJsonBody } from './decode-json.js'
import { decodePairs } from './decode-pairs.js'
import { MEDIA_TYPES, type BodyFormat } from './content-type.js'
import { fieldKinds, type FieldKind } from './field-kind.js'
import { cutLongLists } from './long-lists.js'
import { malformedBody } from './malformed-body.js'
import { problemsOfSchema } from './schema-problems.js'
import { shownProblem } from './shown-text.js'

/** A request as received. */
export interface RawInput {
  /** without the question mark */
  query: string
  params: Record<string, unknown>
  /** absent if the request has no body, or the operation takes none */
  body?: { format: BodyFormat; text: string }
  /** the operation reads the body itself */
  isStreamed?: boolean
}

export interface OperationInput {
  query: unknown
  params: unknown
  body: unknown
}

type Fields = Record<string, unknown>

const NO_FIELDS = z.strictObject({})
const NOTHING = { value: undefined, problems: [] }

/**
 * Prepares reading an operation's requests: everything that follows from its schemas is precomputed.
 *
 * @param limits - `depth` of nested bodies
 */
export function operationInput(
  {
    query = NO_FIELDS,
    params = NO_FIELDS,
    body = NO_FIELDS,
    bodyProblems = () => [],
  }: Pick<Operation, 'query' | 'params' | 'body' | 'bodyProblems'>,
  limits: { depth: number },
): (raw: RawInput) => OperationInput {
  const queryKinds = fieldKinds(query.shape)
  const paramKinds = fieldKinds(params.shape)
  const ownKinds = fieldKinds(body.shape)
  // A client may send query parameters in the body as well; they are read in the same way.
  const bodyKinds = new Map([...queryKinds, ...ownKinds])
  const readBody = ({ format, text }: { format: BodyFormat; text: string }) => {
    if (text === '') return { fields: {}, problems: [] }
    if (format === 'json') return { fields: decodeJsonBody(text, limits), problems: [] }
    // curl -d produces this; no field has such a name.
    if (/^\s*\{/.test(text)) throw malformedBody('', `is JSON: send it as content-type ${MEDIA_TYPES.json}`)
    return decodeFields(decodePairs(text, 'body'), bodyKinds, limits)
  }

  return function readOperationInput(raw) {
    const sentQuery = decodeFields(decodePairs(raw.query, 'query'), queryKinds, limits, 'query')
    const sentBody = raw.body ? readBody(raw.body) : { fields: {}, problems: [] }
    const agreed = withoutQueryFields(sentBody.fields, sentQuery.fields, query, body)
    const parsed = {
      query: check(query, sentQuery.fields, queryKinds),
      params: check(params, raw.params, paramKinds),
      body: raw.isStreamed ? NOTHING : check(body, agreed.fields, ownKinds),
    }
    const problems = [
      ...sentQuery.problems,
      ...sentBody.problems,
      ...agreed.problems,
      ...parsed.query.problems,
      ...parsed.params.problems,
      ...parsed.body.problems,
      ...(raw.isStreamed ? [] : bodyProblems(agreed.fields)),
    ]
    if (problems.length > 0) throw refusal(onePerPlace(problems))
    return { query: parsed.query.value, params: parsed.params.value, body: parsed.body.value }
  }
}

function check(
  schema: FieldsSchema,
  sent: Fields,
  kinds: ReadonlyMap<string, FieldKind>,
): { value?: unknown; problems: Problem[] } {
  const { fields, problems } = cutLongLists(sent, kinds)
  const result = parseUsual(schema, fields, schemaSentence)
  if (result.success) return { value: result.data, problems }
  // One more than is shown, to indicate that there are more.
  return { problems: [...problems, ...problemsOfSchema(result.error.issues, kinds, MOST_DETAILS + 1)] }
}

function refusal(problems: readonly Problem[]): AgentError {
  const details = problems.slice(0, MOST_DETAILS).map(shownProblem)
  const error = problemsError('invalid_input', details)
  if (problems.length === details.length) return error
  const message = error.message.replace(/ \(and (\d+) more\)$/, ' (and more than $1 others)')
  return new AgentError('invalid_input', message, { details })
}

/** Takes the query parameters out of a body; they must equal those in the query. */
function withoutQueryFields(
  sent: Fields,
  query: Fields,
  querySchema: FieldsSchema,
  bodySchema: FieldsSchema,
) {
  const problems: Problem[] = []
  const doubled = Object.keys(querySchema.shape).filter((name) => name in sent && !(name in bodySchema.shape))
  if (doubled.length === 0) return { fields: sent, problems }
  const fields = { ...sent }
  for (const name of doubled) {
    if (!(name in query)) problems.push({ path: name, message: 'must be a query parameter, not in the body' })
    else if (!isDeepStrictEqual(fields[name], query[name])) {
      problems.push({ path: name, message: 'differs between the body and the query' })
    }
    Reflect.deleteProperty(fields, name)
  }
  return { fields, problems }
}

/** The first problem at a path is the most useful one; later ones are often its consequence. */
function onePerPlace(problems: readonly Problem[]): Problem[] {
  const places = new Map<string, Problem>()
  for (const problem of problems) if (!places.has(problem.path)) places.set(problem.path, problem)
  return [...places.values()]
}
