import type { StatusListType } from '@vidimus/core-types'
import { statusListTypeChecks } from './conformance-checks.js'
import type { ConformanceOptions } from './subject.js'

/** The functions of mocha, `node:test` and most other runners; in some of them as globals. */
export interface TestRunner {
  describe: (title: string, body: () => void) => unknown
  it: (title: string, body?: () => Promise<void>) => unknown
}

/**
 * Registers the tests that every type of status list must pass, under the name of the type:
 *
 * ```ts
 * describeStatusListType(MyStatusList, { vectors: [{ name: 'section 5', encodedList: 'eN...', entries: [[3, 1]] }] })
 * ```
 *
 * Vectors are what the kit cannot know: examples of the specification, or of other implementations. Without them
 * nothing tells whether bits lie in the order that others read.
 *
 * @param options - `runner`: `describe` and `it` of runners that have no globals of these names
 */
export function describeStatusListType(
  type: StatusListType,
  options: ConformanceOptions & { runner?: TestRunner } = {},
): void {
  const { describe, it } = options.runner ?? globalRunner()
  const checks = statusListTypeChecks(type, options)
  describe(`${type.type} as a type of status list`, () => {
    for (const group of new Set(checks.map((check) => check.group))) {
      describe(group, () => {
        for (const check of checks) {
          if (check.group === group) it(check.title, check.run)
        }
      })
    }
    if (!options.vectors?.length) it('reads published examples (none are given: pass `vectors`)')
  })
}

function globalRunner(): TestRunner {
  const { describe, it } = globalThis as Partial<TestRunner>
  if (describe && it) return { describe, it }
  throw new TypeError('there are no global describe and it: pass those of the test runner as `runner`')
}
