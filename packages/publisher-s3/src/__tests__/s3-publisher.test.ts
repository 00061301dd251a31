import assert from 'node:assert/strict'
import { isAgentError, type PublishedDocument, type PublishedFile } from '@vidimus/core-types'
import { S3Double } from '../../../../test/support/s3-double.js'
import { S3Publisher, type S3PublisherOptions } from '../index.js'

const AT = 'status-lists/abc'

const file = (body: string, more: Partial<PublishedFile> = {}): PublishedFile => ({
  path: AT,
  form: 'statuslist+jwt',
  isUsual: true,
  contentType: 'application/statuslist+jwt',
  cacheControl: 'public, max-age=300',
  body: Buffer.from(body),
  ...more,
})

/** The version of a number: the greater, the newer. */
const version = (n: number, more: Partial<PublishedDocument> = {}): PublishedDocument => ({
  version: { id: `v${n}`, time: new Date(n * 1000).toISOString() },
  files: [
    file(`jwt ${n}`),
    file(`cwt ${n}`, { form: 'statuslist+cwt', isUsual: false, contentType: 'application/statuslist+cwt' }),
  ],
  history: [],
  gone: [],
  ...more,
})

const kept = (n: number) => {
  const path = `1.0/identifiers/did:x/resources/${n}`
  return { path, form: 'json', read: () => Promise.resolve(file(`old ${n}`, { path })) }
}

describe('S3Publisher', () => {
  let store: S3Double
  beforeEach(async () => {
    store = await S3Double.start()
  })
  afterEach(() => store.stop())

  const publisherWith = (options: Partial<S3PublisherOptions> = {}) =>
    new S3Publisher({
      bucket: store.bucket,
      endpoint: store.url,
      accessKeyId: 'id',
      secretAccessKey: 'secret',
      ...options,
    })
  const textAt = (key: string) => store.objects.get(key)?.body.toString()

  it('writes the default form at the address itself and others next to it, with headers and a checksum', async () => {
    await publisherWith().publish(() => Promise.resolve(version(1)))
    assert.deepEqual([textAt(AT), textAt(`${AT}.statuslist+cwt`)], ['jwt 1', 'cwt 1'])
    const { headers } = store.objects.get(AT) ?? assert.fail()
    assert.equal(headers['content-type'], 'application/statuslist+jwt')
    assert.equal(headers['cache-control'], 'public, max-age=300')
    assert.equal(headers['x-amz-meta-version'], 'v1')
  })

  it('supports a prefix and keys that contain a DID URL', async () => {
    const path = '1.0/identifiers/did:cheqd:testnet:x?resourceName=a%20list&resourceType=B'
    const document = version(1, { files: [file('x', { path })] })
    await publisherWith({ prefix: 'public/lists' }).publish(() => Promise.resolve(document))
    assert.equal(textAt(`public/lists/${path}`), 'x')
  })

  it('writes nothing if everything exists already', async () => {
    const publisher = publisherWith()
    await publisher.publish(() => Promise.resolve(version(1)))
    store.asked.length = 0
    await publisher.publish(() => Promise.resolve(version(1)))
    assert.deepEqual(
      store.asked.filter((one) => !one.startsWith('HEAD ')),
      [],
    )
  })

  it('never replaces a newer version by an older one, whoever is faster', async () => {
    const [slow, fast] = [publisherWith(), publisherWith()]
    await slow.publish(() => Promise.resolve(version(1)))
    let newest = 2
    let held = false
    store.beforeWrite = async () => {
      if (held) return
      held = true
      // The slow one has read version 2, and is about to write it.
      newest = 3
      await fast.publish(() => Promise.resolve(version(3)))
    }
    await slow.publish(() => Promise.resolve(version(newest)))
    assert.deepEqual(store.history.get(AT)?.map(String), ['jwt 1', 'jwt 3'])
    assert.equal(store.history.get(`${AT}.statuslist+cwt`)?.map(String).at(-1), 'cwt 3')
  })

  it('never shows an older version than before, with many writers of many versions', async () => {
    let newest = 1
    await publisherWith().publish(() => Promise.resolve(version(newest)))
    const writers = Array.from({ length: 4 }, publisherWith)
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(
        writers.map(async (writer) => {
          newest += 1
          await writer
            .publish(() => Promise.resolve(version(newest)))
            .catch((error: unknown) => {
              assert.ok(isAgentError(error) && error.code === 'version_conflict', String(error))
            })
        }),
      )
    }
    const numbers = (store.history.get(AT) ?? []).map((body) => Number(body.toString().slice(4)))
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
    )
    await publisherWith().publish(() => Promise.resolve(version(newest)))
    assert.equal(textAt(AT), `jwt ${newest}`)
  })

  it("never overwrites a version that is newer than the ledger's", async () => {
    const publisher = publisherWith()
    await publisher.publish(() => Promise.resolve(version(5)))
    await assert.rejects(
      publisher.publish(() => Promise.resolve(version(4))),
      (error) => isAgentError(error) && error.code === 'version_conflict',
    )
    assert.equal(textAt(AT), 'jwt 5')
  })

  it('keeps older versions, resumes after an interruption and removes obsolete ones', async () => {
    const publisher = publisherWith()
    await publisher.publish(() => Promise.resolve(version(2, { history: [kept(2), kept(1)] })))
    store.asked.length = 0
    await publisher.publish(() =>
      Promise.resolve(version(4, { history: [kept(4), kept(3), kept(2)], gone: [kept(1)] })),
    )
    const names = [...store.objects.keys()].filter((key) => key.includes('resources')).sort()
    assert.deepEqual(
      names,
      [2, 3, 4].map((n) => kept(n).path),
    )
    const written = store.asked.filter((one) => one.startsWith('PUT 1.0'))
    assert.deepEqual(written, [`PUT ${kept(3).path}`, `PUT ${kept(4).path}`])
  })

  it('finds missing and differing objects', async () => {
    const publisher = publisherWith()
    const document = version(1, { history: [kept(1)] })
    await publisher.publish(() => Promise.resolve(document))
    assert.deepEqual(await publisher.compare(document), [])
    const there = store.objects.get(AT) ?? assert.fail()
    store.objects.set(AT, { ...there, body: Buffer.from('other') })
    store.objects.delete(`${AT}.statuslist+cwt`)
    store.objects.delete(kept(1).path)
    assert.deepEqual(await publisher.compare(document), [
      { path: AT, found: 'different' },
      { path: `${AT}.statuslist+cwt`, found: 'missing' },
      { path: kept(1).path, found: 'missing' },
    ])
  })

  it('lists what it has, apart from folders that nobody asks for', async () => {
    const publisher = publisherWith({ prefix: 'public' })
    await publisher.begin()
    await publisherWith({ prefix: 'publications' }).publish(() => Promise.resolve(version(1)))
    const paths = ['1.0/identifiers/did:x', '1.0/identifiers/did:y', 'a/b/did.json', 'top', AT]
    for (const path of paths)
      await publisher.publish(() => Promise.resolve(version(1, { files: [file('x', { path })] })))
    const found: string[] = []
    for await (const path of publisher.paths(['status-lists'])) found.push(path)
    assert.deepEqual(found.sort(), paths.slice(0, -1))
    assert.deepEqual(
      store.asked.filter((one) => one.includes('status-lists') && one.startsWith('GET')),
      [],
    )
  })

  it('retries while the store is busy, and reports it if that persists', async () => {
    await publisherWith().begin()
    store.failing = 2
    await publisherWith().publish(() => Promise.resolve(version(1)))
    assert.equal(textAt(AT), 'jwt 1')
    store.failing = 1000
    await assert.rejects(
      publisherWith({ attempts: 1 }).check(),
      /^AgentError: the bucket of the publication responded with 503/,
    )
  })

  it('takes its own write for done although the answer was lost', async () => {
    const publisher = publisherWith()
    await publisher.publish(() => Promise.resolve(version(1)))
    for (const [n, attempts] of [2, 3].entries()) {
      store.dropping = n + 1
      await publisherWith({ attempts }).publish(() =>
        Promise.resolve(version(n + 2, { history: [kept(n + 2)] })),
      )
    }
    assert.deepEqual(store.history.get(AT)?.map(String), ['jwt 1', 'jwt 2', 'jwt 3'])
    assert.deepEqual(store.history.get(kept(3).path)?.map(String), ['old 3'])
  })

  it('rejects a store without conditional writes, another bucket or no store at all', async () => {
    store.ignoresConditions = true
    await assert.rejects(publisherWith().begin(), /does not support conditional writes/)
    store.ignoresConditions = false
    await publisherWith().begin()
    await assert.rejects(publisherWith({ bucket: 'another' }).begin(), /responded with 404: NoSuchBucket/)
    await assert.rejects(
      publisherWith({ endpoint: 'http://127.0.0.1:1', attempts: 1 }).check(),
      /cannot be reached/,
    )
  })

  it('reports problems with its options', () => {
    const problems = (options: object) => {
      try {
        new S3Publisher({ bucket: 'published', ...options })
        return []
      } catch (error) {
        return isAgentError(error) ? error.details.map(({ path }) => path) : assert.fail(String(error))
      }
    }
    assert.deepEqual(problems({ endpoint: 'http://store.example' }), ['endpoint'])
    assert.deepEqual(problems({ endpoint: 'http://store.example', allowHttp: true }), [])
    assert.deepEqual(problems({ bucket: 'No Bucket' }), ['bucket'])
    assert.deepEqual(problems({ accessKeyId: 'x' }), [''])
    assert.deepEqual(problems({ prefix: '/x/' }), ['prefix'])
    assert.deepEqual(problems({ endpoint: '', prefix: null, region: '' }), [])
  })
})
