import { join, resolve } from 'node:path'
import type { Accounts, AuditLog } from '@vidimus/account-manager'
import { loadConfiguration } from '@vidimus/agent-config'

const root = resolve(import.meta.dirname, '../..')

/** A configuration file with the environment that it is read in. */
export interface Installation {
  file: string
  environment: Record<string, string | undefined>
}

/**
 * Gives `work` the accounts of an installation, beside its service. It is what the command line does, without a process
 * for each command; the commands themselves have their own tests.
 */
export const withAccounts = <T>(installation: Installation, work: (accounts: Accounts) => Promise<T>) =>
  withSection(installation, '/accounts', work)

/** Gives `work` the audit trail of an installation, as {@link withAccounts} does. */
export const withAuditLog = <T>(installation: Installation, work: (audit: AuditLog) => Promise<T>) =>
  withSection(installation, '/audit', work)

async function withSection<Section, T>(
  { file, environment }: Installation,
  pointer: string,
  work: (section: Section) => Promise<T>,
): Promise<T> {
  const configuration = await loadConfiguration(file, {
    environment,
    resolveFrom: [import.meta.url, `file://${join(root, 'packages/cli/build/index.js')}`],
  })
  const [section] = await configuration.build(pointer)
  try {
    await configuration.start()
    return await work(section as Section)
  } finally {
    await configuration.stop()
  }
}
