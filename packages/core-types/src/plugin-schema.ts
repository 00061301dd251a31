import type { IAgentPluginSchema } from '@veramo/core-types'

/** One agent method, as the schema of its plugin describes it. */
export interface DescribedMethod<Schema> {
  /** one sentence */
  description: string
  /** of the object that the method takes */
  arguments: Schema
  returns: Schema
}

/**
 * The schema of a plugin, in the form that Veramo's agents, their validators and their API documents read.
 *
 * @param jsonSchema - writes a schema as JSON Schema, draft 4: that is what the validator of Veramo's agents knows
 */
export function pluginSchema<Schema>(
  methods: Readonly<Record<string, DescribedMethod<Schema>>>,
  jsonSchema: (schema: Schema) => object,
): IAgentPluginSchema {
  const described = Object.entries(methods)
  return {
    components: {
      schemas: Object.fromEntries(
        described.map(([name, method]) => [argumentsName(name), jsonSchema(method.arguments)]),
      ),
      methods: Object.fromEntries(
        described.map(([name, { description, returns }]) => [
          name,
          {
            description,
            arguments: { $ref: `#/components/schemas/${argumentsName(name)}` },
            returnType: jsonSchema(returns),
          },
        ]),
      ),
    },
  }
}

/** The schemas of all plugins of an agent share one name space: the name of the method makes it unique. */
const argumentsName = (method: string): string => `I${method.charAt(0).toUpperCase()}${method.slice(1)}Args`
