import { randomBytes } from 'node:crypto'
import pg from 'pg'

interface CitusNode {
  host: string
  port: number
  /** of the coordinator: 0 */
  group: number
}

/** The variable with the URL of an empty database on a coordinator. */
export const URL_OF = 'VIDIMUS_TRIAL_CITUS'

/** Trials need servers that cannot be installed from packages alone. @param needed - variables that name them */
export function obstacleWithoutCitus(...needed: readonly string[]): Promise<string | undefined> {
  const missing = needed.filter((name) => process.env[name] === undefined)
  return Promise.resolve(
    missing.length === 0
      ? undefined
      : `it needs a coordinator of Citus with workers: ${missing.join(', ')}, see docs/measurements/trials.md`,
  )
}

/** Databases of their own on the servers of one that is given. */
export class CitusDatabases {
  private readonly names: string[] = []

  private constructor(
    private readonly given: URL,
    private readonly nodes: readonly CitusNode[],
  ) {}

  /** @param url - of a database whose coordinator and workers know each other */
  static async beside(url: string): Promise<CitusDatabases> {
    const nodes = await ask<CitusNode>(
      url,
      `SELECT nodename AS host, nodeport AS port, groupid AS group FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid`,
    )
    return new CitusDatabases(new URL(url), nodes)
  }

  /** @returns the URL of an empty database on the coordinator, which is on every worker, too */
  async create(): Promise<string> {
    const name = `vidimus_${randomBytes(6).toString('hex')}`
    this.names.push(name)
    for (const node of this.nodes) {
      await ask(this.urlOf(node), `CREATE DATABASE ${name}`)
      await ask(this.urlOf(node, name), 'CREATE EXTENSION citus')
    }
    for (const node of this.nodes) {
      const introduce = node.group === 0 ? 'citus_set_coordinator_host' : 'citus_add_node'
      await ask(this.urlAtCoordinator(name), `SELECT ${introduce}('${node.host}', ${node.port})`)
    }
    return this.urlAtCoordinator(name)
  }

  async drop(): Promise<void> {
    for (const name of this.names.splice(0))
      for (const node of this.nodes)
        await ask(this.urlOf(node), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }

  private urlAtCoordinator(name: string): string {
    const url = new URL(this.given)
    url.pathname = `/${name}`
    return url.href
  }

  private urlOf({ host, port }: CitusNode, name = this.given.pathname.slice(1)): string {
    const url = new URL(this.urlAtCoordinator(name))
    url.hostname = host
    url.port = String(port)
    return url.href
  }
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
