import { shellWord } from './shell-word.js'

/** Shown to the operator once the service is ready. */
export interface StartedService {
  version: string
  configurationFile: string
  /** where the database is */
  database: string
  /** it changes nothing */
  readsOnly: boolean
  /** names of the migrations that this start applied */
  migrations: readonly string[]
  networks: readonly { network: string; kind: string; local: boolean }[]
  url: string
  /** where metrics are, if they have a port of their own */
  metricsUrl?: string
  /** where the console is; absent if it is not served */
  consoleUrl?: string
  /** set only at the very first start */
  firstKey?: { account: string; apiKey: string }
}

/** The lines that state what runs, at which address, and what to do next. */
export function banner(service: StartedService): string {
  const applied = service.migrations.length > 0 ? ` (${service.migrations.length} migrations applied)` : ''
  const lines = [
    '',
    `  vidimus ${service.version}   ${service.configurationFile}   database ${service.database}${applied}`,
    `  REST API   ${service.url}`,
    `  API docs   ${service.url}/docs`,
    ...(service.consoleUrl === undefined ? [] : [`  Console    ${service.consoleUrl}`]),
    `  Health     ${service.url}/health/ready`,
    ...(service.metricsUrl === undefined ? [] : [`  Metrics    ${service.metricsUrl}`]),
    ...service.networks.map(ledgerLine),
    '',
    ...keyLines(service),
  ]
  return lines.join('\n')
}

const ledgerLine = ({ network, kind, local }: StartedService['networks'][number]) =>
  `  Ledger     ${network}: ${kind}${local ? ' - its DIDs are local to this installation and resolve nowhere else' : ''}`

function keyLines({ firstKey, url, readsOnly }: StartedService): string[] {
  if (readsOnly) return ['  Read-only: send changes to a process on the primary', '']
  if (!firstKey) return ['  More API keys: vidimus key create --account <name>', '']
  return [
    `  First start: created account "${firstKey.account}". Its API key, shown only once:`,
    '',
    `      ${firstKey.apiKey}`,
    '',
    `  Try:  curl -H "x-api-key: ${firstKey.apiKey}" -d network=testnet ${shellWord(`${url}/did/create`)}`,
    '',
  ]
}
