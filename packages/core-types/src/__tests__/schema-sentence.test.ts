import assert from 'node:assert/strict'
import { z } from 'zod'
import { parseOptions } from '../options.js'
import { schemaSentence } from '../schema-sentence.js'

const sentenceOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: schemaSentence }).error?.issues[0]?.message

describe('message of a schema error', () => {
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), undefined, 'is required'],
    [z.string(), 5, 'must be a string'],
    [z.int(), 1.5, 'must be an integer'],
    [z.boolean(), 'yes', 'must be true or false'],
    [z.array(z.string()), 'a', 'must be a list'],
    [z.strictObject({}), [], 'must be an object'],
    [z.enum(['testnet', 'mainnet']), 'main', 'must be one of "testnet", "mainnet"'],
    [z.literal(1), 2, 'must be 1'],
    [z.string().min(1), '', 'must be a non-empty string'],
    [z.string().max(1), 'ab', 'must have at most 1 character'],
    [z.array(z.string()).min(1), [], 'must have at least one entry'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
    [z.number().min(3), 2, 'must be at least 3'],
    [z.number().multipleOf(8), 9, 'must be a multiple of 8'],
    [z.union([z.string(), z.number()]), true, 'does not match any allowed form'],
    [z.uuid(), 'x', 'has an invalid format'],
    [z.strictObject({}), { a: 1 }, 'has unknown fields'],
    [z.string('must be the name of a list'), 5, 'must be the name of a list'],
  ]
  for (const [schema, value, sentence] of cases) {
    it(`says that it ${sentence}: ${JSON.stringify(value)}`, () => {
      assert.equal(sentenceOf(schema, value), sentence)
    })
  }

  it('is used for options, and reports unknown ones', () => {
    const schema = z.strictObject({ port: z.int() })
    assert.throws(() => parseOptions(schema, { port: 'many', prot: 1, x: 1 }), {
      details: [
        { path: 'port', message: 'must be a number' },
        { path: '', message: '"prot" is not known here: did you mean "port"?; "x" is not known here' },
      ],
    })
  })
})
