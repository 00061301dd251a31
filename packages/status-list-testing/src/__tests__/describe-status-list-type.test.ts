import assert from 'node:assert/strict'
import * as nodeTest from 'node:test'
import { StatusList2021, TokenStatusList } from '@vidimus/status-list'
import { describeStatusListType, statusListTypeChecks, type TestRunner } from '../index.js'

/** Records its arguments instead of running them. */
function noting() {
  const noted: { groups: string[]; titles: string[]; pending: string[] } = {
    groups: [],
    titles: [],
    pending: [],
  }
  const runner: TestRunner = {
    describe(title, body) {
      noted.groups.push(title)
      body()
    },
    it(title, body) {
      noted[body ? 'titles' : 'pending'].push(title)
    },
  }
  return { noted, runner }
}

describe('describeStatusListType', () => {
  it('registers every check in its group without running any', () => {
    const { noted, runner } = noting()
    describeStatusListType(TokenStatusList, { runner, vectors: [{ name: 'a', entries: [] }] })
    const checks = statusListTypeChecks(TokenStatusList, { vectors: [{ name: 'a', entries: [] }] })
    assert.deepEqual(
      noted.titles,
      checks.map(({ title }) => title),
    )
    assert.deepEqual(noted.groups, [
      'TokenStatusList as a type of status list',
      ...new Set(checks.map(({ group }) => group)),
    ])
    assert.deepEqual(noted.pending, [])
  })

  it('marks checks without examples as pending', () => {
    const { noted, runner } = noting()
    describeStatusListType(StatusList2021, { runner })
    assert.match(noted.pending.join(), /published examples/)
    assert.ok(!noted.titles.some((title) => title.includes('published examples')))
  })

  it('works with node:test', () => {
    const runner: TestRunner = nodeTest
    assert.equal(typeof runner.describe, 'function')
  })

  it('reports missing functions if the runner has no globals', () => {
    const { describe: kept } = globalThis
    Reflect.deleteProperty(globalThis, 'describe')
    try {
      assert.throws(() => describeStatusListType(StatusList2021), /pass those of the test runner as `runner`/)
    } finally {
      globalThis.describe = kept
    }
  })

  it('requires signatures and "status" entries only of types that have them', () => {
    const titles = (type: Parameters<typeof statusListTypeChecks>[0]) =>
      statusListTypeChecks(type).map(({ title }) => title)
    const own = titles(TokenStatusList).filter((title) => !titles(StatusList2021).includes(title))
    assert.deepEqual(own, [
      'the signature is verified and covers the bits',
      'entries without a purpose report everything against them',
    ])
  })

  it('repeats the same run, and varies with another seed', async () => {
    const drawn = async (seed?: string) => {
      const packed: string[] = []
      const type = {
        ...StatusList2021,
        pack: (doc: unknown, bits: Uint8Array) => {
          packed.push(Buffer.from(bits).toString('base64'))
          return StatusList2021.pack(doc as Parameters<typeof StatusList2021.pack>[0], bits)
        },
      }
      const check = statusListTypeChecks(type, seed === undefined ? {} : { seed }).find(({ title }) =>
        title.startsWith('packed bits'),
      )
      await check?.run()
      return packed
    }
    const first = await drawn()
    assert.ok(first.length > 0)
    assert.deepEqual(await drawn(), first)
    assert.notDeepEqual(await drawn('another'), first)
  })
})
