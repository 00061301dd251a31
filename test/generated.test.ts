import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { generatedFiles, wholeDocument } from '../scripts/generated/generated-files.js'
import { Service } from './support/service.js'
import { root } from './support/repository.js'

describe('files generated from the API document', () => {
  it('are up to date', async () => {
    for (const { file, text } of await generatedFiles()) {
      const name = relative(root, file)
      const stored = await readFile(file, 'utf8').catch(() => '')
      assert.ok(stored === text, `${name} is out of date: npm run generate`)
    }
  })

  it('cover everything that the default configuration serves', async () => {
    const service = await Service.start()
    try {
      const served = await (await fetch(`${service.url}/openapi.json`)).json()
      assert.deepEqual(served, JSON.parse(JSON.stringify(wholeDocument())))
    } finally {
      await service.stop()
    }
  })
})
