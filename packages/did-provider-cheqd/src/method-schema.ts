import { pluginSchema, type DescribedMethod } from '@vidimus/core-types'
import type { IAgentPluginSchema } from '@veramo/core-types'
import { z } from 'zod'

/** The schema of a plugin, from the very schemas that check the arguments of its methods. */
export const describeMethods = (methods: Record<string, DescribedMethod<z.ZodType>>): IAgentPluginSchema =>
  pluginSchema(methods, jsonSchema)

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { target: 'draft-4', io: 'input' })
  return described
}
