import assert from 'node:assert/strict'
import { filesOf, requestPaths, type RequestPath } from '../bench/request-path.js'
import { asBudgeted, budgets } from './support/budgets.js'

describe('budgets of requests', () => {
  let paths: [name: string, path: RequestPath][]
  before(async () => {
    paths = await requestPaths()
  })

  it('are stated for every request that is measured', () =>
    assert.deepEqual(
      paths.map(([name]) => name),
      Object.keys(budgets.requests),
    ))

  for (const [name, budget] of Object.entries(budgets.requests)) {
    it(`limit the way of ${name}`, () => {
      const [, path] = paths.find(([measured]) => measured === name) ?? assert.fail('not measured')
      const figures = { ...path, files: filesOf(path), functions: path.called.length }
      for (const figure of Object.keys(budget) as (keyof typeof budget)[])
        asBudgeted(`requests.${name}.${figure}`, figures[figure], budget[figure])
    })
  }
})
