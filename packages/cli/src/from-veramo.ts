import { readFile } from 'node:fs/promises'
import type { Accounts } from '@vidimus/accounts'
import { AgentError } from '@vidimus/core-types'
import type { CustodyStores } from '@vidimus/custody'
import { openConfiguration, whileStarted } from './installation.js'

export interface FromVeramoOptions {
  /** configuration file of the installation */
  config: string
  /** a SQLite file, or the URL of a database */
  fromVeramo: string
  /** holds the key of the SecretBox */
  secretFile?: string | undefined
  /** who gets it; made where there is none of that name */
  account: string
  newDatabase: boolean
}

const STORES = ['unitOfWork', 'privateKeyStore', 'keyStore', 'didStore'] as const
type StoreSections = [
  CustodyStores['unit'],
  CustodyStores['privateKeyStore'],
  CustodyStores['keyStore'],
  CustodyStores['didStore'],
]

/** Copies keys and DIDs of a database of Veramo's own stores into that of an installation, whose service may be running. */
export async function copyFromVeramo(options: FromVeramoOptions): Promise<{ keys: number; dids: number }> {
  const { importVeramo, readVeramoHoldings } = await import('@vidimus/custody')
  const source = /^(sqlite|postgres(ql)?):/.test(options.fromVeramo)
    ? options.fromVeramo
    : `sqlite:${options.fromVeramo}`
  // Before anything of this installation is begun.
  const holdings = await readVeramoHoldings(source, await secretBox(options.secretFile))
  const configuration = await openConfiguration(options.config)
  const sections = ['accounts', ...STORES, 'agent']
  for (const name of sections) {
    if (configuration.has(`/${name}`)) continue
    throw new AgentError('invalid_configuration', `${options.config} has no section "${name}"`)
  }
  type Sections = [Accounts, ...StoreSections]
  const again = options.newDatabase ? undefined : () => openConfiguration(options.config)
  const copy = async ([accounts, unit, privateKeyStore, keyStore, didStore]: Sections) => {
    const account = (await accounts.usable(options.account)) ?? (await accounts.create(options.account))
    return importVeramo(account, { unit, privateKeyStore, keyStore, didStore }, holdings)
  }
  return whileStarted(configuration, sections, copy, again)
}

async function secretBox(file: string | undefined) {
  if (file === undefined) return undefined
  const key = (await readFile(file, 'utf8')).trim()
  if (!/^[0-9a-f]{64}$/i.test(key))
    throw new AgentError(
      'invalid_input',
      `${file} must hold 64 hexadecimal digits, the dbEncryptionKey of the other agent`,
    )
  const { SecretBox } = await import('@veramo/kms-local')
  return new SecretBox(key)
}
