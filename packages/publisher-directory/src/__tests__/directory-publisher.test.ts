import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { isAgentError, type PublishedDocument, type PublishedFile } from '@vidimus/core-types'
import fc from 'fast-check'
import { headersFile, parseHeadersFile } from '../server-files.js'
import { DirectoryPublisher } from '../index.js'
import { cacheMap, parseCacheMap } from '../nginx-files.js'

const AT = 'status-lists/abc'
const SOURCE = { headers: { vary: 'accept' }, preflight: { 'access-control-allow-methods': 'GET, HEAD' } }

const file = (body: string, more: Partial<PublishedFile> = {}): PublishedFile => ({
  path: AT,
  form: 'statuslist+jwt',
  isUsual: true,
  contentType: 'application/statuslist+jwt',
  cacheControl: 'public, no-cache',
  body: Buffer.from(body),
  compressed: gzipSync(body),
  ...more,
})

const version = (n: number, more: Partial<PublishedDocument> = {}): PublishedDocument => ({
  version: { id: `v${n}`, time: new Date(n * 1000).toISOString() },
  files: [file(`jwt ${n}`)],
  history: [],
  gone: [],
  ...more,
})

describe('DirectoryPublisher', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'vidimus-published-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  const begun = async () => {
    const publisher = new DirectoryPublisher({ directory })
    await publisher.begin(SOURCE)
    return publisher
  }
  const publish = (publisher: DirectoryPublisher, document: PublishedDocument) =>
    publisher.publish(() => Promise.resolve(document))
  const text = async (path: string) => (await readFile(join(directory, path))).toString()
  const names = async (path: string) => (await readdir(join(directory, path))).sort()

  it('writes a form under its media type, at its address, and compressed next to it', async () => {
    await publish(await begun(), version(1))
    assert.deepEqual(await names('status-lists'), ['abc', 'abc.statuslist+jwt', 'abc.statuslist+jwt.gz'])
    assert.deepEqual([await text(AT), await text(`${AT}.statuslist+jwt`)], ['jwt 1', 'jwt 1'])
    assert.equal(gunzipSync(await readFile(join(directory, `${AT}.statuslist+jwt.gz`))).toString(), 'jwt 1')
    assert.deepEqual(await names('.vidimus/unfinished'), [])
  })

  it('lists what it has, apart from folders that nobody asks for', async () => {
    const publisher = await begun()
    const paths = ['1.0/identifiers/did:x', '1.0/identifiers/did:y', 'a/b/did.json', 'top', AT]
    for (const path of paths) await publish(publisher, version(1, { files: [file('x', { path })] }))
    const found: string[] = []
    for await (const path of publisher.paths(['status-lists'])) found.push(path)
    assert.deepEqual(
      found.filter((path) => !path.includes('jwt')).sort(),
      ['_headers', ...paths.slice(0, -1)].sort(),
    )
    const nothing = new DirectoryPublisher({ directory: join(directory, 'none') })
    for await (const path of nothing.paths([])) assert.fail(path)
  })

  it('gives every version a different second, which nginx uses to distinguish them, and leaves existing files alone', async () => {
    const publisher = await begun()
    const seconds = async () => Math.floor((await stat(join(directory, AT))).mtimeMs / 1000)
    const seen = []
    for (const n of [1, 2, 3]) {
      await publish(publisher, version(n))
      seen.push(await seconds())
    }
    assert.equal(new Set(seen).size, 3)
    await publish(publisher, version(3))
    assert.equal(await seconds(), seen.at(-1))
  })

  it('lets several processes write, each reading the newest state under the lock', async () => {
    const publishers = await Promise.all([begun(), begun(), begun()])
    let newest = 0
    const written: number[] = []
    const read = () => {
      newest += 1
      written.push(newest)
      return Promise.resolve(version(newest))
    }
    await Promise.all(
      publishers.map(async (publisher) => {
        for (let n = 0; n < 10; n += 1) await publisher.publish(read)
      }),
    )
    assert.equal(await text(AT), 'jwt 30')
    assert.deepEqual(
      written,
      [...written].sort((a, b) => a - b),
    )
  })

  it('writes unusual cache lifetimes, and keeps them after a restart', async () => {
    const kept = file('x', { cacheControl: 'public, max-age=300' })
    await publish(await begun(), version(1, { files: [kept], isIdentity: true }))
    await publish(
      await begun(),
      version(1, { files: [file('y', { path: 'status-lists/def' })], isIdentity: true }),
    )
    const map = await text('.vidimus/nginx-http-2-cache.conf')
    assert.match(map, /^ {2}"\/status-lists\/abc\.statuslist\+jwt" "public, max-age=300";$/m)
    assert.doesNotMatch(map, /lists\/def/)
    const headers = await text('_headers')
    assert.match(headers, /^\/\*\n {2}vary: accept\n/m)
    assert.match(
      headers,
      /^\/status-lists\/abc\n {2}content-type: application\/statuslist\+jwt\n {2}cache-control: public, max-age=300\n/m,
    )
    assert.match(headers, /^\/status-lists\/def\n/m)
  })

  it('preserves what other processes write about other lists', async () => {
    const [one, other] = [await begun(), await begun()]
    for (const n of [1, 2, 3, 4]) {
      const path = `status-lists/list-${n}`
      const files = [file('x', { path, cacheControl: `public, max-age=${n}` })]
      await publish(n % 2 === 0 ? one : other, version(1, { files, isIdentity: true }))
    }
    const headers = parseHeadersFile(await text('_headers'))
    const map = parseCacheMap(await text('.vidimus/nginx-http-2-cache.conf'))
    assert.deepEqual([headers.size, map.size], [4, 4])
  })

  it('removes unfinished files of a dead process', async () => {
    await begun()
    await writeFile(join(directory, '.vidimus/unfinished/.x'), 'half')
    await begun()
    assert.deepEqual(await names('.vidimus/unfinished'), [])
  })

  it('writes nothing outside its folder, and nothing with an impossible file name', async () => {
    const publisher = await begun()
    for (const path of [
      '../out',
      'a/../../out',
      '/etc/x',
      'a//b',
      'a\0b',
      `status-lists/${'x'.repeat(300)}`,
    ]) {
      await publish(publisher, { ...version(1), files: [file('x', { path })], version: undefined as never })
    }
    assert.deepEqual(
      (await names('.')).filter((name) => !name.startsWith('.')),
      ['_headers'],
    )
  })

  it("never overwrites a version that is newer than the ledger's", async () => {
    const publisher = await begun()
    await publish(publisher, version(5))
    await assert.rejects(
      publish(publisher, version(4)),
      (error) => isAgentError(error) && error.code === 'version_conflict',
    )
    assert.equal(await text(AT), 'jwt 5')
  })

  it('can be checked before the first start, which creates its folder, and later', async () => {
    const folder = join(directory, 'a', 'b')
    const publisher = new DirectoryPublisher({ directory: folder })
    await publisher.check()
    await publisher.begin(SOURCE)
    await publisher.check()
    await rm(folder, { recursive: true })
    await assert.rejects(publisher.check(), /no longer exists/)
  })

  it('reports an unusable folder', async () => {
    await writeFile(join(directory, 'file'), '')
    const publisher = new DirectoryPublisher({ directory: join(directory, 'file') })
    await assert.rejects(
      publisher.begin(SOURCE),
      /^AgentError: the folder of the publication cannot be written to: E/,
    )
    assert.throws(() => new DirectoryPublisher({ directory: 'relative' }), /absolute path/)
  })
})

describe('server configuration files', () => {
  const path = fc.stringMatching(/^\/[\w:.?=&%+-]{1,80}$/)
  const value = fc.stringMatching(/^[\w=, ";/-]{1,40}$/)

  it('are read back as written', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(path, value)), (entries) => {
        const map = new Map(entries)
        assert.deepEqual(new Map([...parseCacheMap(cacheMap(map))].sort()), new Map([...map].sort()))
        const headers = new Map(entries.map(([at, said]) => [at, { 'cache-control': said }]))
        assert.deepEqual(
          new Map([...parseHeadersFile(headersFile(headers, { vary: 'x' }))].sort()),
          new Map([...headers].sort()),
        )
      }),
    )
  })
})
