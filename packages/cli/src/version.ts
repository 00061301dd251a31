import { readFileSync } from 'node:fs'

/** The version of this installation. */
export const version = (): string => manifest().version

/** The oldest version of Node.js that it runs on. */
export const leastNodeVersion = (): string => manifest().engines.node.replace('>=', '')

const manifest = () =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string
    engines: { node: string }
  }
