import assert from 'node:assert/strict'
import { isAgentError } from '@vidimus/core-types'
import fc from 'fast-check'
import { z } from 'zod'
import { operationInput } from '../../input/operation-input.js'
import { commaSeparable } from '../../input/list-separator.js'
import { indices } from '../../schemas/status-list.js'
import { jwtsOrObjects, object, uriList } from '../../schemas/primitives.js'

const body = z.strictObject({
  text: z.string().optional(),
  texts: z.array(z.string()).optional(),
  uris: uriList('').optional(),
  words: commaSeparable(z.array(z.string()), /^\w+$/).optional(),
  count: z.number().optional(),
  indices: indices(z.unknown()).optional(),
  flag: z.boolean().optional(),
  free: object('').optional(),
  credentials: jwtsOrObjects('').optional(),
  service: z
    .array(z.strictObject({ type: z.string(), priority: z.int().optional(), endpoints: z.array(z.string()) }))
    .optional(),
  options: z.strictObject({ key: z.string(), size: z.number().optional() }).optional(),
})
const read = operationInput({ body }, { depth: 16 })

const ofForm = (text: string) => ({
  ...(read({ query: '', params: {}, body: { format: 'form', text } }).body as object),
})
const ofJson = (text: string) => read({ query: '', params: {}, body: { format: 'json', text } }).body
const encode = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')

function refusal(work: () => unknown): {
  code: string
  sentence: string
  problems: Record<string, string>
} {
  try {
    work()
  } catch (error) {
    assert.ok(isAgentError(error), String(error))
    return {
      code: error.code,
      sentence: error.message,
      problems: Object.fromEntries(error.details.map(({ path, message }) => [path, message])),
    }
  }
  return assert.fail('was accepted')
}

/** What UTF-8 can encode, except for NUL, which is refused. */
const someText = () => fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))

describe('form fields', () => {
  it('preserves every text', () => {
    fc.assert(fc.property(someText(), (text) => assert.deepEqual(ofForm(encode([['text', text]])), { text })))
    for (const text of ['123', '1.0', 'a,b', '[x]', '{}', 'true', '12e5', 'null', '', ' ', 'a+b', '[1,2]']) {
      assert.deepEqual(ofForm(encode([['text', text]])), { text })
      assert.deepEqual(ofForm(new URLSearchParams({ text }).toString()), { text })
    }
  })

  it('preserves every text in a list, in every notation', () => {
    fc.assert(
      fc.property(fc.array(someText(), { minLength: 1, maxLength: 8 }), (texts) => {
        assert.deepEqual(ofForm(encode(texts.map((text) => ['texts[]', text]))), { texts })
        assert.deepEqual(ofForm(encode(texts.map((text, n) => [`texts[${n}]`, text]))), { texts })
        assert.deepEqual(ofForm(encode([['texts', JSON.stringify(texts)]])), { texts })
        if (texts.length > 1)
          assert.deepEqual(ofForm(encode(texts.map((text) => ['texts', text]))), { texts })
        else if (!/^\s*\[/.test(texts[0] ?? ''))
          assert.deepEqual(ofForm(encode([['texts', texts[0] ?? '']])), { texts })
      }),
    )
  })

  it('reads a list of numbers in every notation', () => {
    const wanted = [0, 2, 131071]
    for (const text of [
      'indices=0&indices=2&indices=131071',
      'indices[]=0&indices[]=2&indices[]=131071',
      'indices[0]=0&indices[1]=2&indices[2]=131071',
      'indices%5B0%5D=0&indices%5B1%5D=2&indices%5B2%5D=131071',
      'indices[2]=131071&indices[0]=0&indices[1]=2',
      'indices=0,2,131071',
      'indices=[0,2,131071]',
      `indices=${encodeURIComponent('[0, 2, 131071]')}`,
    ]) {
      assert.deepEqual(ofForm(text), { indices: wanted }, text)
    }
    assert.deepEqual(ofForm('indices=0'), { indices: [0] })
    assert.deepEqual(ofJson('{"indices":0}'), { indices: [0] })
  })

  it('accepts only strict decimals as numbers, and only true and false as flags', () => {
    assert.deepEqual(ofForm('count=-1.5&flag=false'), { count: -1.5, flag: false })
    for (const number of [
      '1e5',
      '0x1',
      '01',
      '',
      ' 1',
      '1 ',
      '+1',
      '1_0',
      'NaN',
      'Infinity',
      '.5',
      '1.',
      '--1',
    ]) {
      const { problems } = refusal(() => ofForm(encode([['count', number]])))
      assert.deepEqual(problems, { count: 'must be a number' }, number)
    }
    for (const flag of ['1', 'TRUE', 'yes', '']) {
      assert.deepEqual(refusal(() => ofForm(`flag=${flag}`)).problems, { flag: 'must be true or false' })
    }
    assert.deepEqual(Object.keys(refusal(() => ofForm('indices=1,2e1')).problems), ['indices[0]'])
  })

  it('splits lists at commas only if every part looks like an entry', () => {
    assert.deepEqual(ofForm('words=a,b'), { words: ['a', 'b'] })
    assert.deepEqual(ofForm('words=Acme,%20Inc'), { words: ['Acme, Inc'] })
    assert.deepEqual(ofForm('texts=a,b'), { texts: ['a,b'] })
    assert.deepEqual(ofForm('uris=https://a.test,did:x:y'), { uris: ['https://a.test', 'did:x:y'] })
    assert.deepEqual(ofForm('uris=https://a.test/x,y'), { uris: ['https://a.test/x,y'] })
  })

  it('reads credentials as JWTs and as JSON', () => {
    const jwt = 'e30.e30.c2ln'
    assert.deepEqual(ofForm(`credentials=${jwt}`), { credentials: [jwt] })
    assert.deepEqual(ofForm(`credentials=${jwt},${jwt}`), { credentials: [jwt, jwt] })
    assert.deepEqual(ofForm(`credentials=${jwt}&credentials={"proof":{"jwt":"x,y"}}`), {
      credentials: [jwt, { proof: { jwt: 'x,y' } }],
    })
    assert.deepEqual(ofForm('credentials={"a":"b"}'), { credentials: [{ a: 'b' }] })
    assert.deepEqual(ofForm(`credentials=["${jwt}",{"a":1}]`), { credentials: [jwt, { a: 1 }] })
  })

  it('reads objects as JSON text and by member', () => {
    assert.deepEqual(ofForm('options={"key":"12","size":2}'), { options: { key: '12', size: 2 } })
    assert.deepEqual(JSON.parse(JSON.stringify(ofForm('options[key]=12&options[size]=2'))), {
      options: { key: '12', size: 2 },
    })
    assert.deepEqual(ofForm('free={"a":{"b":[1]}}'), { free: { a: { b: [1] } } })
    assert.deepEqual(JSON.parse(JSON.stringify(ofForm('free[a]=1&free[b][]=[x]'))), {
      free: { a: '1', b: ['[x]'] },
    })
    const services = {
      service: [
        { type: 'A', priority: 1, endpoints: ['x', 'y'] },
        { type: 'B', endpoints: ['z'] },
      ],
    }
    for (const text of [
      'service[0][type]=A&service[0][priority]=1&service[0][endpoints]=x&service[0][endpoints]=y&service[1][type]=B&service[1][endpoints][]=z',
      `service=${JSON.stringify(services.service)}`,
      `service=${JSON.stringify(services.service[0])}&service=${JSON.stringify(services.service[1])}`,
    ]) {
      assert.deepEqual(JSON.parse(JSON.stringify(ofForm(text))), services)
    }
  })

  it('names contradictions and gaps', () => {
    for (const [text, path] of [
      ['text=a&text=b', 'text'],
      ['indices=1&indices[]=2', 'indices'],
      ['indices[0]=1&indices[2]=2', 'indices'],
      ['indices[a]=1', 'indices'],
      ['options={"key":"a"}&options[size]=1', 'options'],
      ['options[key][deep]=1', 'options.key'],
      ['text[0]=a', 'text'],
      ['tex=a', 'tex'],
      ['service[0][typ]=A&service[0][type]=A&service[0][endpoints]=x', 'service[0].typ'],
    ] as const) {
      const { code, problems } = refusal(() => ofForm(text))
      assert.equal(code, 'invalid_input', text)
      assert.ok(path in problems, `${text}: ${JSON.stringify(problems)}`)
    }
    assert.match(refusal(() => ofForm('tex=a')).problems.tex ?? '', /did you mean "text"/)
    assert.match(
      refusal(() => ofJson('{"service":[{"tipe":"A","endpoints":[]}]}')).problems['service[0].tipe'] ?? '',
      /did you mean "type"/,
    )
  })

  it('refuses JSON sent as a form, and explains how to send it', () => {
    for (const text of ['{"network":"testnet"}', ' \n{ "a": "50 % & more" }', '{"n": 1']) {
      const { code, sentence } = refusal(() => ofForm(text))
      assert.deepEqual(
        [code, sentence],
        ['malformed_body', 'the body is JSON: send it as content-type application/json'],
      )
    }
  })

  it('refuses malformed forms', () => {
    for (const text of [
      'text=%ff',
      'text=%zz',
      'text=%',
      'text=a%00',
      'a[b=1',
      'a]b=1',
      '=1',
      '[]=1',
      '__proto__[x]=1',
      'free[__proto__][x]=1',
      'free[constructor]=1',
      `free${'[a]'.repeat(40)}=1`,
      'options={"key":"a","key":"b"}',
      'options={"key":}',
      'texts=[x]',
      'free={"__proto__":1}',
    ]) {
      assert.equal(refusal(() => ofForm(text)).code, 'malformed_body', text)
    }
    assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).includes('x'), false)
  })

  it('locates and explains malformed names and escapes', () => {
    for (const [text, sentence] of [
      ['=1', 'the body has a field without a name'],
      ['[]=1', '[]: is not a field name: it has nothing before its brackets'],
      ['a[b=1', 'a[b: is not a field name: its brackets do not match'],
      ['text=%ff', 'text: has percent-encoded bytes that are not UTF-8'],
      ['text=%zz', 'text: has a "%" without two hexadecimal digits after it; write a percent sign as "%25"'],
      ['%ff=1', 'the body has a field name that has percent-encoded bytes that are not UTF-8'],
      ['a%00=1', 'the body has a field name that contains a NUL character'],
    ] as const) {
      assert.equal(refusal(() => ofForm(text)).sentence, sentence, text)
      const asQuery = refusal(() => read({ query: text, params: {} }))
      assert.equal(asQuery.sentence, sentence.replace('the body', 'the query'), text)
    }
  })

  it('reads numbered members of arbitrary objects as lists', () => {
    const plain = (text: string) => JSON.parse(JSON.stringify(ofForm(text))) as unknown
    assert.deepEqual(plain('free[a][0]=x'), { free: { a: ['x'] } })
    assert.deepEqual(plain('free[a][1]=y&free[a][0]=x'), { free: { a: ['x', 'y'] } })
    assert.deepEqual(plain('free[a][0][b]=x&free[a][1][b][0]=y'), {
      free: { a: [{ b: 'x' }, { b: ['y'] }] },
    })
    assert.deepEqual(plain('free[a][007]=x'), { free: { a: { '007': 'x' } } })
    for (const text of ['free[a][1]=x', 'free[a][0]=x&free[a][2]=y', 'free[a][0]=x&free[a][b]=y']) {
      const { code, problems } = refusal(() => ofForm(text))
      assert.equal(code, 'malformed_body', text)
      assert.deepEqual(Object.keys(problems), ['free.a'], text)
    }
    assert.deepEqual(refusal(() => ofForm('free[0]=x')).problems, { free: 'must be an object' })
  })

  it('refuses numbers that cannot be represented exactly', () => {
    for (const [text, path] of [
      ['count=12345678901234567890', 'count'],
      ['indices=1,9007199254740992', 'indices[1]'],
      ['indices[0]=9007199254740992', 'indices[0]'],
      ['free={"a":9007199254740993}', 'free.a'],
    ] as const) {
      assert.match(refusal(() => ofForm(text)).problems[path] ?? '', /cannot be stored exactly/, text)
    }
  })

  it('never fails in any other way, whatever the input', () => {
    const name = fc.constantFrom(
      'text',
      'indices',
      'service',
      'options',
      'free',
      'credentials',
      'flag',
      'toString',
    )
    const step = fc.constantFrom('', '[]', '[0]', '[1]', '[key]', '[a][b]', '[', ']')
    const value = fc.oneof(someText(), fc.json(), fc.constantFrom('1,2', '{', '[', 'true', '%'))
    fc.assert(
      fc.property(fc.array(fc.tuple(name, step, value), { maxLength: 6 }), (fields) => {
        try {
          ofForm(encode(fields.map(([field, brackets, text]) => [field + brackets, text])))
        } catch (error) {
          assert.ok(isAgentError(error), String(error))
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('JSON bodies', () => {
  it('accepts what JSON.parse accepts', () => {
    const anything = operationInput({ body: z.strictObject({ free: z.unknown() }) }, { depth: 64 })
    const value = fc
      .jsonValue({ noUnicodeString: false })
      .filter((json) => !/proto|constructor|\\u0000|\\ud/.test(JSON.stringify(json)))
      // Integers beyond the precision of a double are refused.
      .filter((json) => !/(?<![.\d])\d{16,}(?!\.)/.test(JSON.stringify(json)))
    fc.assert(
      fc.property(value, (free) => {
        const text = JSON.stringify({ free })
        const input = anything({ query: '', params: {}, body: { format: 'json', text } })
        assert.deepEqual(input.body, JSON.parse(text))
      }),
    )
  })

  it('refuses what JSON.parse refuses', () => {
    const good = '{"free":{"a":[1,true,null,"x\\n",-0.5e3]},"text":"y"}'
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.string({ minLength: 0, maxLength: 2 }), (at, insert) => {
        const text = good.slice(0, at) + insert + good.slice(at + 1)
        let parses = true
        try {
          JSON.parse(text)
        } catch {
          parses = false
        }
        if (!parses) assert.equal(refusal(() => ofJson(text)).code, 'malformed_body')
      }),
      { numRuns: 1000 },
    )
  })

  it('refuses numbers that cannot be represented exactly, anywhere', () => {
    for (const [text, path] of [
      ['{"count":12345678901234567890}', 'count'],
      ['{"indices":[9007199254740992]}', 'indices[0]'],
      ['{"free":{"a":[{"b":-9007199254740993}]}}', 'free.a[0].b'],
      ['{"free":{"a":0.1234567890123456789}}', 'free.a'],
    ] as const) {
      const { code, problems } = refusal(() => ofJson(text))
      assert.equal(code, 'malformed_body')
      assert.deepEqual(problems, {
        [path]: 'is a number that cannot be stored exactly; write it as a string',
      })
    }
  })

  it('survives deep nesting', () => {
    const { code } = refusal(() => ofJson('{"free":' + '[['.repeat(500_000)))
    assert.equal(code, 'malformed_body')
  })

  it('treats an empty body as one without fields', () => {
    assert.deepEqual(ofJson(''), {})
  })
})

describe('expensive bodies', () => {
  const many = <T>(length: number, entry: (n: number) => T) => Array.from({ length }, (_, n) => entry(n))
  const TOO_MANY = { '': 'has more than 50000 members and entries' }

  it('are refused beyond a number of members and entries', () => {
    const fields = Object.fromEntries(many(50_001, (n) => [`a${n}`, 0]))
    for (const text of [
      JSON.stringify(fields),
      JSON.stringify({ free: { fields } }),
      JSON.stringify({ service: many(50_001, () => ({})) }),
      JSON.stringify({ texts: many(50_001, () => '') }),
    ]) {
      const { code, problems } = refusal(() => ofJson(text))
      assert.equal(code, 'malformed_body')
      assert.deepEqual(problems, TOO_MANY)
    }
    assert.deepEqual(refusal(() => ofForm('a=1&'.repeat(50_001))).problems, TOO_MANY)
    assert.match(
      refusal(() => ofForm(`words=${'a,'.repeat(60_000)}a`)).problems.words ?? '',
      /more than 50000/,
    )
  })

  it('may still contain very many numbers', () => {
    const numbers = many(100_000, (n) => n)
    assert.deepEqual(ofJson(JSON.stringify({ indices: numbers })), { indices: numbers })
    assert.deepEqual(ofForm(`indices=${numbers.join(',')}`), { indices: numbers })
  })

  it('are answered with a limited list of problems and the number of others', () => {
    const fields = Object.fromEntries(many(40_000, (n) => [`tex${n}`, 0]))
    const { problems, sentence } = refusal(() => ofJson(JSON.stringify(fields)))
    assert.equal(Object.keys(problems).length, 100)
    assert.equal(sentence, 'tex0: is not a known field; did you mean "text"? (and more than 99 others)')
  })

  it('are not answered with every invalid entry of a list', () => {
    const { problems } = refusal(() => ofJson(JSON.stringify({ indices: many(100_000, () => -1) })))
    assert.deepEqual(
      Object.keys(problems),
      many(20, (n) => `indices[${n}]`),
    )
  })

  it('are answered without repeating long names', () => {
    const name = 'x'.repeat(900_000)
    const long = `${'x'.repeat(100)}...`
    for (const work of [
      () => ofJson(JSON.stringify({ [name]: 1 })),
      () => ofForm(`${name}=1`),
      () => ofJson(`{"${name}":1e999}`),
      () => ofForm(`${name}=%ff`),
      () => read({ query: `${name}=1`, params: {} }),
    ]) {
      const { problems, sentence } = refusal(work)
      assert.deepEqual(Object.keys(problems), [long])
      assert.ok(sentence.startsWith(`${long}: `) && sentence.length < 300, sentence.slice(0, 300))
    }
    const emoji = refusal(() => ofJson(JSON.stringify({ [`${'x'.repeat(99)}😀`]: 1 })))
    assert.deepEqual(Object.keys(emoji.problems), [`${'x'.repeat(99)}...`])
  })
})
