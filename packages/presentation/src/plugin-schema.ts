import { pluginSchema, problemsError, problemsOf, type DescribedMethod } from '@vidimus/core-types'
import type { IAgentPluginSchema, IPluginMethodMap } from '@veramo/core-types'
import { z } from 'zod'

/** The methods of a plugin as the agent calls them: with the context of the agent beside the arguments. */
export type MethodsInContext<Methods extends IPluginMethodMap, Context> = {
  [Name in keyof Methods]: (args: Parameters<Methods[Name]>[0], context: Context) => ReturnType<Methods[Name]>
}

/** The schema of a plugin, from the very schemas that check the arguments of its methods. */
export const describeMethods = (methods: Record<string, DescribedMethod<z.ZodType>>): IAgentPluginSchema =>
  pluginSchema(methods, jsonSchema)

/**
 * Checks the arguments of a method.
 *
 * @throws AgentError `invalid_input` with every problem, its path relative to the arguments
 */
export function checkArguments(schema: z.ZodType, args: unknown): void {
  const result = schema.safeParse(args)
  if (!result.success) throw problemsError('invalid_input', problemsOf(result.error.issues))
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { target: 'draft-4', io: 'input' })
  return described
}
