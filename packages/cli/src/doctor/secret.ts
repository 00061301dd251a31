import type { Finding, SealedStore } from '@vidimus/core-types'

/** Checks that the secrets of the installation open everything that is sealed. */
export async function secretFinding(stores: readonly SealedStore[]): Promise<Finding> {
  const name = 'secret'
  const [first] = stores
  if (!first) return { name, level: 'ok', message: 'nothing is encrypted in this database' }
  const { keyIds, origin } = first.envelope
  const [current, ...earlier] = keyIds
  const texts = await sealedTexts(stores)
  const unknown = [...texts].filter(([keyId]) => !keyIds.includes(keyId))
  if (unknown.length > 0) {
    const missing = unknown.map(([keyId, count]) => `${count} sealed with ${keyId}`).join(', ')
    return {
      name,
      level: 'fail',
      message: `${origin} does not fit: ${missing}${current === undefined ? ', and there is none' : ''}`,
      advice: 'restore the secret of this database; without it these private keys are lost',
    }
  }
  if (current === undefined) {
    return { name, level: 'ok', message: `none yet: the first start creates one (${origin})` }
  }
  const all = [...texts.values()].reduce((sum, count) => sum + count, 0)
  const message = `${current} from ${origin} opens all ${all} sealed texts`
  const before = earlier.filter((keyId) => texts.has(keyId))
  if (before.length === 0) return { name, level: 'ok', message }
  return {
    name,
    level: 'warn',
    message: `${message}, some of them with ${before.join(', ')}, which it replaces`,
    advice: 'finish the rotation: vidimus secret rotate',
  }
}

async function sealedTexts(stores: readonly SealedStore[]): Promise<Map<string, number>> {
  const texts = new Map<string, number>()
  for (const store of stores) {
    for (const [keyId, count] of await store.countSealed()) texts.set(keyId, (texts.get(keyId) ?? 0) + count)
  }
  return texts
}
