import type { BrowserServer } from 'playwright-core'
import { launchBrowserServer, type SharedConsoleFacts } from './browser.js'
import { withPluginType } from './plugin-type.js'
import { Service } from './service.js'
import { local } from './webhook-trial.js'

/** Started once for a run, in the process that divides the files: each start costs as much as a dozen of tests. */
export class SharedConsole {
  private constructor(
    private readonly service: Service,
    private readonly browser: BrowserServer,
    /** {@link SharedConsoleFacts} as JSON */
    readonly facts: string,
  ) {}

  static async start(): Promise<SharedConsole> {
    const configure = (text: string) => local(withPluginType(text))
    const [browser, service] = await Promise.all([launchBrowserServer(), Service.start({ configure })])
    const { url, dataDirectory } = service
    const keyOf = async (...scopes: string[]) => (await service.apiKeyOf('operations', { scopes })).apiKey
    const operator = await keyOf('operator', 'read')
    const onlyOperator = await keyOf('operator')
    const facts: SharedConsoleFacts = {
      url,
      dataDirectory,
      browser: browser.wsEndpoint(),
      operator,
      onlyOperator,
    }
    return new SharedConsole(service, browser, JSON.stringify(facts))
  }

  async stop(): Promise<void> {
    await Promise.all([this.browser.close(), this.service.stop()])
  }
}
