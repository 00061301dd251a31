import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'

/** The content of a case and the response of the node; see README.md. */
export interface GoldenCase {
  name: string
  in: Record<string, unknown>
  out: Record<string, unknown>
  before?: SentMessage[]
  after?: { metadata: string }[]
}

export interface SentMessage {
  typeUrl: string
  /** base64 of the protobuf */
  message: string
}

export interface GoldenFile {
  name: string
  keys: { name: string; seed?: string }[]
  params: Record<string, unknown>
  cases: GoldenCase[]
}

/** Files of a folder, as they are or compressed, in the order of their names. */
export function readFolder(folder: string): GoldenFile[] {
  const files = readdirSync(folder).flatMap((file) => {
    const [, name] = /^(.+)\.json(?:\.br|\.gz)?$/.exec(file) ?? []
    return name === undefined ? [] : [{ name, content: contentOf(join(folder, file)) }]
  })
  return files
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap(({ name, content }) => {
      const { keys = [], params = {}, cases } = JSON.parse(content) as Partial<GoldenFile>
      return cases ? [{ name, keys, params, cases }] : []
    })
}

function contentOf(path: string): string {
  const bytes = readFileSync(path)
  if (path.endsWith('.br')) return brotliDecompressSync(bytes).toString('utf8')
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}
