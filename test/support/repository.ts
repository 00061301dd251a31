import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')
export const read = (file: string): string => readFileSync(join(root, file), 'utf8')

/** Whether this machine has a command. */
export const hasCommand = (name: string): boolean => spawnSync(name, ['--help']).error === undefined

/** Of what is published. */
export const { version, engines } = JSON.parse(read('packages/cli/package.json')) as {
  version: string
  engines: { node: string }
}

/** Names of the variables that `agent.yml` reads. */
export const variables = (): string[] =>
  [...read('agent.yml').matchAll(/^[^#\n]*\$env: (\w+)/gm)].map(([, name = '']) => name)

/** What the service listens on unless it is told otherwise. */
export const defaultPort = (): string => /\$env: PORT, \$default: (\d+)/.exec(read('agent.yml'))?.[1] ?? ''

/** Seconds that the service gives requests which it has accepted. */
export const graceSeconds = (): number => {
  const options = read('packages/remote-server/src/options.ts')
  return Number(/shutdownGraceMs: .*default\(([\d_]+)\)/.exec(options)?.[1]?.replaceAll('_', '')) / 1000
}
