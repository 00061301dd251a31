import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Client } from '../support/client.js'
import { callDoor, everyDoor, type Door } from '../support/doors.js'
import type { ArgumentPath, Schema } from '../support/naming-arguments.js'
import type { Setup } from './suite.js'

/** As written in JSON and in a URL. */
interface HostileText {
  text: string
  escaped: string
  /** no database, ledger or UTF-8 encoder carries it unchanged */
  isUnfit?: true
}

const strange = (text: string): HostileText => ({ text, escaped: encodeURIComponent(text) })

/** Longer than an entry of an index may be, and not to be compressed, as PostgreSQL does. */
const LONG = randomBytes(4500).toString('base64url')
const TEXTS: Readonly<Record<string, HostileText>> = {
  NUL: { text: 'a\0b', escaped: 'a%00b', isUnfit: true },
  'an unpaired surrogate': { text: 'a\ud800b', escaped: 'a%ED%A0%80b', isUnfit: true },
  long: strange(LONG),
  constructor: strange('constructor'),
  // In brackets, as it would be no member otherwise.
  ['__proto__']: strange('__proto__'),
  toString: strange('toString'),
  'one character': strange('caf\u00e9'),
  'two characters that look like it': strange('cafe\u0301'),
}
const ALL = Object.values(TEXTS)
const { NUL, long, 'an unpaired surrogate': surrogate, ...others } = TEXTS
/** What is written to a database in every field, and the rest by turns; each text in each field is the trial `set-ups`. */
const SWEEPS: Readonly<Record<string, readonly (HostileText | undefined)[]>> =
  process.env.SET_UPS === 'all'
    ? Object.fromEntries(Object.entries(TEXTS).map(([what, text]) => [what, [text]]))
    : {
        NUL: [NUL],
        'an unpaired surrogate': [surrogate],
        long: [long],
        'names of any object, and characters that look alike,': Object.values(others),
      }

/** Hostile texts in every text field of every operation and agent method: always a 4xx that names the field, never a failure. */
export function hostileTextSuite({ client, service }: Setup): void {
  let doors: Door[]
  let operator: Client
  before(async () => {
    doors = await everyDoor(client(), isText)
    operator = client().as((await service().apiKeyOf('operations', { scopes: ['operator'] })).apiKey)
  })
  afterEach(() => assert.ok(service().running))

  for (const [what, texts] of Object.entries(SWEEPS)) {
    const isUnfit = texts.every((text) => text?.isUnfit)
    const title = isUnfit ? 'is a 400 that names it' : 'is no failure'
    it(`${title}: ${what} in any text`, async () => {
      const met = await sweep([client(), operator], doors, inTurn(texts))
      for (const status of isUnfit ? [] : [200, 400]) assertMet(met, status)
    })
  }
  it('have caused no failed request', () => assert.doesNotMatch(service().log, /request failed/))

  it('are refused with 400 naming the field: a long idempotency key', () => longIdempotencyKey(client()))
}

/** The same operations, with one hostile text per field in rotation, to save time. */
export function hostileTextSample(client: () => Client, operator: () => Client): void {
  it('are refused with 400 naming the field, or accepted: one in each text of every operation and method', async () => {
    const met = await sweep([client(), operator()], await everyDoor(client(), isText), inTurn(ALL))
    for (const status of [200, 400, 404]) assertMet(met, status)
  })

  it('are refused with 400 naming the field: a long idempotency key', () => longIdempotencyKey(client()))
}

function inTurn(texts: readonly (HostileText | undefined)[]): () => HostileText {
  let turn = 0
  return () => texts[turn++ % texts.length] ?? assert.fail('there are texts')
}

/** Sends each text of each operation with another value. @returns the number of responses per status */
async function sweep(
  [client, operator]: readonly [client: Client, operator: Client],
  doors: readonly Door[],
  next: () => HostileText,
): Promise<Map<number, number>> {
  const met = new Map<number, number>()
  for (const door of doors) {
    for (const place of door.places) {
      const hostile = next()
      const who = door.title.includes(' /operator/') ? operator : client
      const { status, body } = await callDoor(who, door, {
        place,
        value: hostile.text,
        escaped: hostile.escaped,
      })
      met.set(status, (met.get(status) ?? 0) + 1)
      const told = `${door.title} ${place.join('.')} ${hostile.text.slice(0, 12)}: ${status} ${JSON.stringify(body)}`
      assert.ok(status < 500 || status === 501, told)
      if (!hostile.isUnfit) continue
      assert.equal(status, 400, told)
      assert.ok(isNamed(place, JSON.stringify(body)) || isDidUrl(door), told)
    }
  }
  const sent = [...met.values()].reduce((sum, times) => sum + times, 0)
  assert.ok(sent > 300, String(sent))
  return met
}

const assertMet = (met: ReadonlyMap<number, number>, status: number): void =>
  assert.ok(met.has(status), `none was answered with ${status}`)

async function longIdempotencyKey(client: Client): Promise<void> {
  const headers = { 'idempotency-key': 'x'.repeat(6000) }
  const { status, body } = await client.post('/key/create', { headers })
  assert.equal(status, 400)
  assert.match(JSON.stringify(body), /"path":"idempotency-key"/)
  for (const key of ['constructor', '__proto__'])
    assert.equal((await client.post('/key/create', { headers: { 'idempotency-key': key } })).status, 200)
}

/** Invalid UTF-8 in a path is reported for the whole path. */
const isNamed = (place: ArgumentPath, told: string): boolean =>
  told.includes(place.findLast((step) => step !== '0') ?? '') ||
  (place[0] === 'path' && told.includes('"path: '))

/** Resolution results refer to the DID URL as a whole. */
const isDidUrl = ({ title }: Door): boolean => title.includes(' /1.0/identifiers/')

const isText = (_: ArgumentPath, { type, enum: values }: Schema): boolean =>
  [type].flat().includes('string') && values === undefined
