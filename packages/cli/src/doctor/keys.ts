import { withoutRights } from '@vidimus/accounts'
import { takeKeyInventory } from '@vidimus/custody'
import { type Sample } from '@vidimus/database'
import type { DescribedPart } from '@vidimus/agent-config/loading'
import type { Finding } from '@vidimus/core-types'
import type { Database } from '@vidimus/database'

/** Key management systems that keep private keys in the database. */
const KEEP_IN_DATABASE = ['@vidimus/kms-node', '@veramo/kms-local']

/** Checks that every DID has its keys, and every key its private half or a KMS that has it. */
export async function keyFindings(
  database: Pick<Database, 'query'>,
  parts: readonly DescribedPart[],
): Promise<Finding[]> {
  const name = 'keys'
  const { dids, withoutKeys, kms } = await takeKeyInventory(database)
  const configured = new Map(
    parts.filter(({ role }) => role === 'kms').map((part) => [part.name, part.module] as const),
  )
  const problems: Finding[] = []
  if (withoutKeys.count > 0) {
    const advice = 'import them again with their keys, or restore a backup'
    problems.push({
      name,
      level: 'fail',
      message: `without any key: ${sampleText(withoutKeys, 'DID')}`,
      advice,
    })
  }
  for (const { name: kmsName, keys, withoutPrivateKey } of kms) {
    const module = configured.get(kmsName)
    if (module === undefined) {
      const message = `the KMS "${kmsName}", which has ${counted(keys, 'key')}, is not configured`
      problems.push({ name, level: 'fail', message, advice: 'configure it again under this name' })
    } else if (KEEP_IN_DATABASE.includes(module) && withoutPrivateKey.count > 0) {
      const message = `without a private key: ${sampleText(withoutPrivateKey, 'key')} of the KMS "${kmsName}"`
      problems.push({
        name,
        level: 'fail',
        message,
        advice: 'restore a database backup that contains them',
      })
    }
  }
  if (problems.length > 0) return problems
  const all = kms.reduce((sum, { keys }) => sum + keys, 0)
  return [{ name, level: 'ok', message: `complete: ${counted(dids, 'DID')}, ${counted(all, 'key')}` }]
}

/** What groups of scopes no longer include, and what gives it back. */
const NO_LONGER = [
  {
    groups: ['keys', 'credentials'],
    lacking: ['signing', 'key-deletion'],
    what: 'signing (raw signatures, tokens) and key-deletion',
    add: 'signing',
  },
  {
    groups: ['keys'],
    lacking: ['certificates'],
    what: 'certificates (CSR, certificate chains)',
    add: 'certificates',
  },
  {
    groups: ['credentials'],
    lacking: ['revocation'],
    what: 'revocation (of credentials, also in jobs)',
    add: 'revocation',
  },
] as const

/** API keys that may do less than before, for operators who investigate a 403. */
export async function apiKeyFindings(database: Pick<Database, 'query'>): Promise<Finding[]> {
  const found = await Promise.all(
    NO_LONGER.map(async ({ groups, lacking, what, add }): Promise<Finding[]> => {
      const limited = await withoutRights(database, groups, lacking)
      if (limited.count === 0) return []
      const message =
        `limited to ${groups.join(' or ')}, without ${what}: ${sampleText(limited, 'API key')}; ` +
        `vidimus key update ID --add-scope ${add} gives it without a new secret`
      return [{ name: 'api-keys', level: 'ok', message }]
    }),
  )
  return found.flat()
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const sampleText = ({ count, examples }: Sample, what: string): string =>
  `${counted(count, what)} (${examples.join(', ')}${count > examples.length ? ', ...' : ''})`
