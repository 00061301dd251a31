import type { IAgentPluginSchema } from '@veramo/core-types'

/** The part of a zod schema needed here. */
export interface DescribableSchema {
  toJSONSchema(options: { target: 'draft-4'; io: 'input' }): object
}

/** One agent method, as the schema of its plugin describes it. */
export interface DescribedMethod {
  /** one sentence */
  description: string
  /** of the object that the method takes: the very schema that checks it */
  arguments: DescribableSchema
  returns: DescribableSchema
}

/**
 * The schema of a plugin, in the form that Veramo's agents, their validators and their API documents read.
 *
 * @param present - the methods that the plugin has; default: all of them
 */
export function pluginSchema(
  methods: Readonly<Record<string, DescribedMethod>>,
  present: object = methods,
): IAgentPluginSchema {
  const described = Object.entries(methods).filter(([name]) => name in present)
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

/** JSON Schema draft 4, the version that the validator of Veramo's agents supports. */
function jsonSchema(schema: DescribableSchema): object {
  const described = schema.toJSONSchema({ target: 'draft-4', io: 'input' })
  return Object.fromEntries(Object.entries(described).filter(([name]) => name !== '$schema'))
}
