import assert from 'node:assert/strict'
import { credentialStatusSuite } from './shared/credential-status.js'
import { presentationSuite } from './shared/presentation.js'
import { statusListSuite } from './shared/status-list.js'
import type { Setup } from './shared/suite.js'
import { tokenStatusListSuite } from './shared/token-status-list.js'
import { RemoteAgentClient } from './support/remote-agent-client.js'
import { Service } from './support/service.js'

/** The behaviour of the service, as other Veramo agents meet it. */
describe('the service through remote agents', () => {
  let service: Service
  let client: RemoteAgentClient
  let stranger: RemoteAgentClient
  before(async () => {
    service = await Service.start()
    client = await RemoteAgentClient.of(service.url, service.apiKey)
    stranger = client.as((await service.apiKeyOf('stranger')).apiKey)
  })
  after(async () => {
    await service.stop()
    assert.ok(client.calls > 100, `${client.calls} calls went through a remote agent`)
  })

  const setup: Setup = {
    service: () => service,
    client: () => client,
    stranger: () => stranger,
    remote: true,
  }
  statusListSuite(setup)
  presentationSuite(setup)
  credentialStatusSuite(setup)
  tokenStatusListSuite(setup)
})
