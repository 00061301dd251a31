import assert from 'node:assert/strict'
import type { CallCounts } from '../../bench/request-path.js'
import { read } from './repository.js'

/**
 * The figures of the house, in `test/budgets.json`. They only fall: a commit that adds an operation or a guarantee may
 * raise one, and says why in `raised`.
 */
interface Budgets {
  house: Record<'lines' | 'files' | 'oneImporterFiles' | 'productionPackages', number>
  /** by the request that `npm run bench:path` measures */
  requests: Record<string, CallCounts & { files: number; functions: number }>
  /** files of `node_modules` and of ours that a process loads */
  modules: Record<'start' | 'command' | 'help', number>
  /** that the files of a whole run start, by the tier; `scripts/test-costs.mjs` asserts it */
  processes: Record<'default' | 'all', number>
  raised: string[]
}

export const budgets = JSON.parse(read('test/budgets.json')) as Budgets

/** Counts vary a little between versions of Node.js. */
const SLACK = 0.02

/** Fails above the budget, and well below it: then the budget falls too. */
export function asBudgeted(name: string, figure: number, budget: number): void {
  assert.ok(figure <= budget, `${name} is ${figure}, above ${budget} of test/budgets.json`)
  assert.ok(
    figure >= Math.floor(budget * (1 - SLACK)) - 1,
    `${name} is only ${figure}: lower the ${budget} in test/budgets.json`,
  )
}
