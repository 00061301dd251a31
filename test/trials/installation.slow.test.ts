import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TRIALS } from './all-trials.js'
import { shortTrials } from './short-trials.js'

shortTrials('installation')

describe('trials', () => {
  it('are described in docs/measurements/trials.md, with the rules that they verify', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/measurements/trials.md'), 'utf8')
    const text = page.replace(/\s+/g, ' ')
    for (const { name, rule } of TRIALS) {
      assert.ok(text.includes(`**${name}**`), `${name} is missing`)
      assert.ok(text.includes(rule.replace(/\s+/g, ' ')), `the rule of ${name} is another one`)
    }
  })
})
