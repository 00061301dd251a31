import { z } from 'zod'

/** Writes a schema as JSON Schema of draft 4, which the validator of Veramo's agents knows. */
export function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { target: 'draft-4', io: 'input' })
  return described
}
