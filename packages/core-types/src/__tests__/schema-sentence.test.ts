import assert from 'node:assert/strict'
import { z } from 'zod'
import { parseOptions } from '../options.js'
import { schemaSentence } from '../schema-sentence.js'

const sentenceOf = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: schemaSentence }).error?.issues[0]?.message

describe('the sentence for what a schema finds', () => {
  const cases: [z.ZodType, unknown, string][] = [
    [z.string(), undefined, 'is required'],
    [z.string(), 5, 'has to be a string'],
    [z.int(), 1.5, 'has to be an integer'],
    [z.boolean(), 'yes', 'has to be true or false'],
    [z.array(z.string()), 'a', 'has to be a list'],
    [z.strictObject({}), [], 'has to be an object'],
    [z.enum(['testnet', 'mainnet']), 'main', 'has to be one of "testnet", "mainnet"'],
    [z.literal(1), 2, 'has to be 1'],
    [z.string().min(1), '', 'has to be a non-empty string'],
    [z.string().max(1), 'ab', 'has to have at most 1 character'],
    [z.array(z.string()).min(1), [], 'has to have at least one entry'],
    [z.array(z.string()).max(2), ['a', 'b', 'c'], 'has to have at most 2 entries'],
    [z.number().min(3), 2, 'has to be at least 3'],
    [z.number().multipleOf(8), 9, 'has to be a multiple of 8'],
    [z.union([z.string(), z.number()]), true, 'has none of the allowed forms'],
    [z.uuid(), 'x', 'has a wrong format'],
    [z.strictObject({}), { a: 1 }, 'has unknown fields'],
    [z.string('has to be the name of a list'), 5, 'has to be the name of a list'],
  ]
  for (const [schema, value, sentence] of cases) {
    it(`is that it ${sentence}: ${JSON.stringify(value)}`, () => {
      assert.equal(sentenceOf(schema, value), sentence)
    })
  }

  it('is used for options, whose unknown names are told', () => {
    const schema = z.strictObject({ port: z.int() })
    assert.throws(() => parseOptions(schema, { port: 'many', prot: 1, x: 1 }), {
      details: [
        { path: 'port', message: 'has to be a number' },
        { path: '', message: '"prot" is not known here: did you mean "port"?; "x" is not known here' },
      ],
    })
  })
})
