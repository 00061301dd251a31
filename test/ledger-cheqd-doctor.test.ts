import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceHealth } from '@vidimus/core-types'
import { Client } from './support/client.js'
import { CHEQ } from './support/cheqd-installation.js'
import { CheqdSetup } from './support/cheqd-setup.js'
import { Examination } from './support/doctor.js'
import { runVidimus, Service, type ServiceOptions } from './support/service.js'

describe('vidimus doctor on the cheqd networks', () => {
  let networks: CheqdSetup
  let options: ServiceOptions & { dataDirectory: string }
  const open = async (ledger: object = {}) => {
    networks = await CheqdSetup.start(ledger)
    const { configure, environment } = networks
    options = { dataDirectory: await mkdtemp(join(tmpdir(), 'vidimus-doctor-')), configure, environment }
    await runVidimus(['migrate'], options)
  }
  afterEach(async () => {
    await networks.stop()
    await rm(options.dataDirectory, { recursive: true, force: true })
  })

  it('reports the chain, its fees and what the payer can afford', async () => {
    await open()
    const found = await Examination.of(options)
    assert.deepEqual(found.complaints, [])
    assert.match(
      found.of('ledger:testnet'),
      /^ok: cheqd-testnet-6 at block [0-9]+, [0-9]+ s old, by 127\.0\.0\.1:[0-9]+ \(CometBFT [0-9.]+\)$/,
    )
    assert.match(found.of('ledger:mainnet'), /^ok: cheqd-mainnet-1 at block/)
    assert.equal(
      found.of('fees:testnet'),
      'ok: a DID 44 CHEQ, a change of one 22 CHEQ, its deactivation 8.8 CHEQ, a version of a signed status list 4.4 CHEQ, of a StatusList2021 8.8 CHEQ',
    )
    assert.equal(
      found.of('payer:testnet'),
      `ok: ${networks.payer} has 1000000000 CHEQ, which pays for 22727272 DIDs or 227272727 versions of signed status lists`,
    )
    assert.equal(found.of('outbox:testnet'), 'ok: nothing is pending')
    assert.ok(!JSON.stringify(found).includes(networks.environment.CHEQD_MNEMONIC))
  })

  it('is what operators read over HTTP, with the outbox of each network', async () => {
    await open()
    const service = await Service.start(options)
    try {
      const { apiKey } = await service.apiKeyOf('operations', { scopes: ['operator', 'dids'] })
      const client = await Client.of(service.url, apiKey)
      await client.ok('POST', '/did/create', { json: { network: 'testnet' } })
      const health = (await client.ok('GET', '/operator/health')) as ServiceHealth
      assert.deepEqual(
        health.networks.map(({ network }) => network),
        ['mainnet', 'testnet'],
      )
      const testnet = health.networks.find(({ network }) => network === 'testnet')
      assert.equal(testnet?.outboxOldestSeconds, 0)
      assert.ok(Object.values(testnet.outbox ?? {}).every((count) => count === 0))
      assert.ok((testnet.blockHeight ?? 0) > 0 && testnet.blockAgeSeconds !== undefined)
      assert.ok((testnet.payerBalanceCheq ?? 0) > 999_999_000)
      assert.ok((testnet.spendTodayCheq ?? 0) > 0)
      assert.ok(health.findings.some(({ name, level }) => name === 'outbox:testnet' && level === 'ok'))
      assert.ok(!JSON.stringify(health).includes(networks.environment.CHEQD_MNEMONIC))
    } finally {
      await service.stop()
    }
  })

  it('warns before the payer runs out of money, and names who needs it', async () => {
    await open()
    const { testnet } = networks.nodes
    const drain = testnet.balanceOf(networks.payer) - 100n * CHEQ
    await testnet.fund(networks.payer, -drain)
    const found = await Examination.of(options)
    assert.equal(found.level, 'warn')
    assert.match(
      found.of('payer:testnet'),
      /^warn: cheqd1\w+ has 100 CHEQ, which pays for 2 DIDs or 22 versions/,
    )
    await testnet.fund(networks.payer, -60n * CHEQ)
    assert.match(
      (await Examination.of(options)).of('payer:testnet'),
      /^fail: .* has 40 CHEQ, which pays for 0 DIDs/,
    )
  })

  it('reports a lagging node and an unreachable one', async () => {
    await open()
    const { testnet, mainnet } = networks.nodes
    testnet.misbehave('catchUp', { behindSeconds: 1_000 })
    await mainnet.stop()
    const found = await Examination.of(options)
    assert.match(found.of('ledger:testnet'), /^fail: .*catching up/)
    assert.match(
      found.of('ledger:mainnet'),
      /^fail: no node of mainnet is reachable: 127\.0\.0\.1:\d+: ECONNREFUSED$/,
    )
  })

  it('reports prices above the ceiling and a wrong chain', async () => {
    await open({ maxFee: 30, chainId: 'cheqd-testnet-6' })
    const found = await Examination.of(options)
    assert.match(found.of('fees:testnet'), /^fail: .*; more than the 30 CHEQ of maxFee: a DID$/)
    assert.match(found.of('ledger:mainnet'), /^fail: .*cheqd-mainnet-1/)
  })
})
