import { Agent } from '@veramo/core'
import type { IAgentPlugin, IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import { AgentRestClient } from '@veramo/remote-client'
import type { ICredentials, IPresentation, IStatusList, IStatusListCredentials } from '@vidimus/core-types'

/** What this agent can do at the service, as far as it uses it. */
export type ServiceMethods = IDIDManager &
  IKeyManager &
  IResolver &
  ICredentials &
  IPresentation &
  IStatusList &
  IStatusListCredentials

export interface Connection {
  /** the address of the service, such as `http://127.0.0.1:3332` */
  url: string
  /** of an account of the service */
  apiKey: string
  /** what runs in this process, beside what runs there */
  plugins?: IAgentPlugin[]
}

/** The members of `/open-api.json` that describe the methods. */
interface AgentDocument {
  components: { schemas: object }
  'x-methods': object
}

/**
 * An agent whose keys, DIDs and status lists are in the service. The service describes its methods and their
 * arguments; arguments and results are also validated on this side, before anything is sent.
 *
 * @throws Error if the service does not respond
 */
export async function connectAgent<Own extends object = {}>({
  url,
  apiKey,
  plugins = [],
}: Connection): Promise<TAgent<ServiceMethods> & Own> {
  const response = await fetch(`${url}/open-api.json`).catch((cause: unknown) => {
    throw new Error(`no service can be reached at ${url}; VIDIMUS_URL names another address`, { cause })
  })
  if (!response.ok) throw new Error(`${url}/open-api.json: ${response.status}`)
  const document = (await response.json()) as AgentDocument
  const methods = document['x-methods']
  const service = new AgentRestClient({
    url: `${url}/agent`,
    enabledMethods: Object.keys(methods),
    schema: { components: { schemas: document.components.schemas, methods } },
    headers: { authorization: `Bearer ${apiKey}` },
  })
  const agent = new Agent({ plugins: [service, ...plugins], schemaValidation: true })
  return agent as unknown as TAgent<ServiceMethods> & Own
}
