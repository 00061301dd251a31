import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'

// What w3c/vc-jose-cose-test-suite runs in a container for each test, as an executable that calls the service:
//   compose -f FILE run --rm NAME issue|verify --input F --key F --feature X [--sd PATHS] --output F
// The service keeps its own keys, so that it signs with one of the same kind as the given one, as its DID.

const { CONFORMANCE_URL: url = '', CONFORMANCE_DIDS: dids = '{}' } = process.env

const CURVES: Record<string, string> = { Ed25519: 'eddsa-rdfc-2022', 'P-256': 'ecdsa-rdfc-2019' }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', short: 'f' },
    rm: { type: 'boolean' },
    ...Object.fromEntries(
      ['input', 'key', 'feature', 'sd', 'output'].map((name) => [name, { type: 'string' as const }]),
    ),
  },
}) as { values: Record<string, string>; positionals: string[] }

const inTests = (path = '') => join('tests', path.replace(/^\/tests\//, ''))
const isCredential = values.feature?.startsWith('credential') ?? false
const result = positionals.includes('issue') ? await issued() : await verified()
await writeFile(join('tests/output', basename(values.output ?? '')), JSON.stringify(result))

async function post(path: string, body: object): Promise<{ ok: boolean; body: Record<string, unknown> }> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return { ok: response.ok, body: (await response.json()) as Record<string, unknown> }
}

async function issued() {
  const { publicKeyJwk } = JSON.parse(await readFile(inTests(values.key), 'utf8')) as {
    publicKeyJwk: { crv: string }
  }
  const did = (JSON.parse(dids) as Record<string, string>)[CURVES[publicKeyJwk.crv] ?? '']
  if (did === undefined) return { result: 'error', data: `no keys on the curve ${publicKeyJwk.crv}` }
  const document = JSON.parse(await readFile(inTests(values.input), 'utf8')) as Record<string, unknown>
  const format = values.feature?.endsWith('sdjwt') ? 'vc+sd-jwt' : 'vc+jwt'
  const answer = isCredential
    ? await post('/credentials/issue', { credential: { ...document, issuer: did }, options: { format } })
    : await post('/presentation/create', {
        format: 'vp+jwt',
        holderDid: did,
        credentials: [document.verifiableCredential].flat(),
      })
  return { result: answer.ok ? 'success' : 'failure', data: JSON.stringify(answer.body) }
}

async function verified() {
  const text = (await readFile(inTests(values.input), 'utf8')).trim()
  const shown: unknown = text.startsWith('{') ? JSON.parse(text) : text
  const answer = isCredential
    ? await post('/credential/verify', { credential: shown })
    : await post('/presentation/verify', { presentation: shown })
  return { result: answer.body.verified === true ? 'success' : 'failure', data: JSON.stringify(answer.body) }
}
