import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { root } from './repository.js'

/** A package as `npm pack --json` describes it. */
export interface PackedPackage {
  name: string
  version: string
  filename: string
  integrity: string
  files: { path: string }[]
}

/**
 * A registry of packed packages alone: what npm asks for one of them, and the file itself.
 *
 * @param folder - of the files
 * @see https://github.com/npm/registry/blob/main/docs/responses/package-metadata.md
 */
export async function servePackages(folder: string, packages: readonly PackedPackage[]) {
  const server = createServer((req, res) => {
    const path = decodeURIComponent(req.url ?? '').slice(1)
    const found = packages.find(({ name, filename }) => name === path || filename === path)
    const answer = !found
      ? '{}'
      : found.filename === path
        ? readFile(join(folder, path))
        : metadata(found, url)
    void Promise.resolve(answer).then((body) => res.writeHead(found ? 200 : 404).end(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, close: () => server.close() }
}

async function metadata({ name, version, filename, integrity }: PackedPackage, url: string): Promise<string> {
  const folder = name === 'vidimus' ? 'cli' : name.slice('@vidimus/'.length)
  const manifest = JSON.parse(
    await readFile(join(root, 'packages', folder, 'package.json'), 'utf8'),
  ) as object
  const dist = { tarball: `${url}/${filename}`, integrity }
  return JSON.stringify({
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  })
}
