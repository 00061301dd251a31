import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { MemoryPrivateKeyStore } from '@veramo/key-manager'
import { KeyManagementSystem } from '@veramo/kms-local'
import { NodeKeyManagementSystem } from '@vidimus/kms-node'
import { verifyJWS } from 'did-jwt'

/** How often something is done in a second, with ours and with Veramo's. */
export interface KeyManagementFigure {
  operation: string
  ours: number
  veramo: number
}

type Kms = Pick<KeyManagementSystem, 'createKey' | 'sign'>

const DATA = Buffer.alloc(512, 'x')

/**
 * Ed25519 with `@vidimus/kms-node` and with `@veramo/kms-local`, over the same store in memory, one call after the
 * other; verification with node:crypto and with did-jwt, which Veramo uses.
 */
export async function measureKeyManagement(seconds: number): Promise<KeyManagementFigure[]> {
  const ours = new NodeKeyManagementSystem(new MemoryPrivateKeyStore())
  const veramo = new KeyManagementSystem(new MemoryPrivateKeyStore())
  const signing = { ours: await signer(ours), veramo: await signer(veramo) }
  const create = (kms: Kms) => () => kms.createKey({ type: 'Ed25519' })
  return [
    await compare('create a key', seconds, create(ours), create(veramo)),
    await compare('sign', seconds, signing.ours.sign, signing.veramo.sign),
    await compare('verify', seconds, ...(await verifications(signing.ours))),
  ]
}

async function signer(kms: Kms) {
  const { kid, publicKeyHex } = await kms.createKey({ type: 'Ed25519' })
  // As the key manager calls it: with the key as the key store has it.
  const keyRef = { kid, publicKeyHex }
  const sign = (data: Uint8Array = DATA) => kms.sign({ keyRef, algorithm: 'EdDSA', data })
  return { publicKeyHex, sign: () => sign(), signJws: sign }
}

async function verifications({ publicKeyHex, signJws }: Awaited<ReturnType<typeof signer>>) {
  const input = [{ alg: 'EdDSA', typ: 'JWT' }, { sub: 'x'.repeat(300) }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = await signJws(Buffer.from(input))
  const x = Buffer.from(publicKeyHex, 'hex').toString('base64url')
  const key: KeyObject = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const method = { id: '#1', type: 'Ed25519VerificationKey2020', controller: 'did:x:y', publicKeyHex }
  const native = () => {
    if (!verify(null, Buffer.from(input), key, Buffer.from(signature, 'base64url'))) throw new Error('no')
  }
  return [native, () => verifyJWS(`${input}.${signature}`, method)] as const
}

type Work = () => unknown

/** The two take turns, so that both see the same machine. */
async function compare(
  operation: string,
  seconds: number,
  ours: Work,
  veramo: Work,
): Promise<KeyManagementFigure> {
  const rounds = 4
  const counts = { ours: 0, veramo: 0 }
  for (let round = 0; round < rounds; round += 1) {
    counts.ours += await perSecond(ours, seconds / rounds)
    counts.veramo += await perSecond(veramo, seconds / rounds)
  }
  return { operation, ours: counts.ours / rounds, veramo: counts.veramo / rounds }
}

async function perSecond(work: Work, seconds: number): Promise<number> {
  const begun = performance.now()
  let done = 0
  while (performance.now() - begun < seconds * 1000) {
    for (let n = 0; n < 20; n += 1) await work()
    done += 20
    // Keys of OpenSSL are given back between turns of the event loop alone.
    await turn()
  }
  return done / ((performance.now() - begun) / 1000)
}

/** The figures as lines of a page in Markdown. */
export const keyManagementTable = (figures: readonly KeyManagementFigure[]): string[] => [
  'Ed25519, one call after the other, with `@vidimus/kms-node` and with `@veramo/kms-local`:',
  '',
  '| operation | per second | Veramo, per second | ratio |',
  '|---|--:|--:|--:|',
  ...figures.map(
    ({ operation, ours, veramo }) =>
      `| ${operation} | ${Math.round(ours)} | ${Math.round(veramo)} | ${(ours / veramo).toFixed(1)} |`,
  ),
  '',
]
