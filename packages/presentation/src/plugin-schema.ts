import { problemsError, problemsOf } from '@vidimus/core-types'
import type { IAgentPluginSchema, IPluginMethodMap } from '@veramo/core-types'
import { z } from 'zod'

/** The methods of a plugin as the agent calls them: with the context of the agent beside the arguments. */
export type MethodsInContext<Methods extends IPluginMethodMap, Context> = {
  [Name in keyof Methods]: (args: Parameters<Methods[Name]>[0], context: Context) => ReturnType<Methods[Name]>
}

/** One agent method, as its schema describes it. */
export interface DescribedMethod {
  description: string
  /** name of the arguments' type, unique among all plugins */
  argumentsName: string
  arguments: z.ZodType
  returns: z.ZodType
}

/** The schema of a plugin, in the form that Veramo's agents and their API documents expect. */
export function pluginSchema(methods: Record<string, DescribedMethod>): IAgentPluginSchema {
  const described = Object.entries(methods)
  return {
    components: {
      schemas: Object.fromEntries(
        described.map(([, method]) => [method.argumentsName, jsonSchema(method.arguments)]),
      ),
      methods: Object.fromEntries(
        described.map(([name, { description, argumentsName, returns }]) => [
          name,
          {
            description,
            arguments: { $ref: `#/components/schemas/${argumentsName}` },
            returnType: jsonSchema(returns),
          },
        ]),
      ),
    },
  }
}

/**
 * Checks the arguments of a method.
 *
 * @throws AgentError `invalid_input` with every problem, its path relative to the arguments
 */
export function checkArguments(schema: z.ZodType, args: unknown): void {
  const result = schema.safeParse(args)
  if (!result.success) throw problemsError('invalid_input', problemsOf(result.error.issues))
}

const jsonSchema = (schema: z.ZodType): object => z.toJSONSchema(schema, { target: 'openapi-3.0' })
