import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from './support/client.js'
import { idOf, sealedTexts, sealedWith, SecretCommands, signs } from './support/secret-commands.js'
import { createDid } from './behaviour/suite.js'

describe('interrupted rotation of the encryption secret', () => {
  let commands: SecretCommands
  beforeEach(async () => {
    commands = await SecretCommands.inFolder()
  })
  afterEach(() => commands.remove())

  it('resumes through repeated kill -9 while the service stores and signs', async function () {
    const service = await commands.start()
    const client = await Client.of(service.url, service.apiKey)
    const did = await createDid(client)
    const imported: string[] = []
    const importKey = async () => {
      const alias = `imported ${imported.length}`
      const { kid } = (await client.ok('POST', '/key/import', {
        json: { privateKeyHex: randomBytes(32).toString('hex'), alias },
      })) as { kid: string }
      imported.push(kid)
    }
    for (let n = 0; n < 120; n += 1) await importKey()
    const [old = ''] = await commands.secrets()

    await commands.withDatabase(async (database) => {
      let stop = false
      const load = (async () => {
        while (!stop) {
          await importKey()
          await signs(client, did)
        }
      })()
      let chosen: string | undefined
      // At the moment when the new secret is on the disk, and then further and further on.
      for (const done of [0, 1, 7, 30, 60]) {
        const { child, closed } = commands.begin(['rotate', '--batch', '1'])
        const reached = async () => {
          const [current, ...previous] = await commands.secrets()
          if (!current || previous.length === 0) return false
          chosen ??= current
          assert.equal(current, chosen)
          const resealed = (await sealedTexts(database)).filter(
            (text) => text.split('.')[1] === idOf(current),
          )
          return resealed.length >= done
        }
        while (child.exitCode === null && !(await reached())) await turn()
        child.kill('SIGKILL')
        await closed
      }
      assert.ok((await sealedWith(database)).has(idOf(old)), 'it was finished before it was killed')
      const { code, printed, complained } = await commands.run(['rotate'])
      stop = true
      await load
      assert.equal(code, 0, complained)
      assert.match(printed, /interrupted rotation was completed: the secret is/)
      assert.deepEqual(await commands.secrets(), [chosen])
      assert.deepEqual([...(await sealedWith(database))], [idOf(chosen ?? '')])
      await importKey()
      await signs(client, did)
      assert.deepEqual([...(await sealedWith(database))], [idOf(chosen ?? '')])
    })
    assert.ok(imported.length > 121, 'nothing was stored meanwhile')
    assert.deepEqual(
      (await readdir(commands.dataDirectory)).filter((name) => name.startsWith('kms-secret')),
      ['kms-secret.key'],
    )
    assert.equal((await stat(commands.secretFile)).mode & 0o777, 0o600)
    assert.equal(await service.stop(), 0)

    const again = await commands.start()
    const later = await Client.of(again.url, service.apiKey)
    await signs(later, did)
    for (const kid of imported) await later.ok('GET', `/key/read/${kid}`)
    await again.stop()
    await commands.refusedToStart({ KMS_SECRET_KEY: old }, [idOf(old), 'KMS_SECRET_KEY'])
  })
})
