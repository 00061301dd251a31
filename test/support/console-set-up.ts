import { createClient, type Client } from '@vidimus/client'
import type { Page } from 'playwright-core'

/** What a console shows in tests and pictures. */
export interface ShownAccount {
  client: Client
  did: string
}

export const BITSTRING = 'BitstringStatusList'

/** An account with a DID and three lists, each with versions of its own. */
export async function filledAccount(url: string, apiKey: string): Promise<ShownAccount> {
  const client = createClient({ url, apiKey })
  const { did } = await client.post('/did/create', {
    body: {
      network: 'testnet',
      service: [{ idFragment: 'website', type: 'LinkedDomains', serviceEndpoint: ['https://acme.example'] }],
    },
  })
  await client.post('/did/create', { body: { network: 'mainnet', identifierFormatType: 'base58btc' } })
  const create = (listType: string, statusListName: string, statusPurpose: string[], statusSize?: number) =>
    client.post('/credential-status/create/unencrypted', {
      params: { query: { listType, statusPurpose } },
      body: { did, statusListName, ...(statusSize !== undefined && { statusSize }) },
    })
  const update = (listType: string, statusListName: string, statusAction: string, indices: number[]) =>
    client.post('/credential-status/update/unencrypted', {
      params: { query: { listType, statusAction } },
      body: { did, statusListName, indices },
    })
  await create(BITSTRING, 'employees', ['revocation', 'suspension'])
  await create('StatusList2021', 'badges', ['revocation'])
  await create('TokenStatusList', 'wallets', ['revocation', 'suspension'], 4)
  for (let wave = 0; wave < 6; wave++) {
    await update(BITSTRING, 'employees', 'suspend', scattered(wave, 90, 0))
    await update(BITSTRING, 'employees', 'revoke', scattered(wave + 40, 160, 1))
  }
  await update('TokenStatusList', 'wallets', '0x3', [7, 9])
  return { client, did }
}

/** Indices that are closer together at the beginning, the same in every run; even ones or odd ones. */
function scattered(seed: number, count: number, parity: 0 | 1): number[] {
  let state = seed * 2_654_435_761 + 1
  const random = () => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
  return Array.from({ length: count }, () => 2 * Math.floor(random() * random() * 65_000) + parity)
}

/** Opens the console and signs in. */
export async function signIn(page: Page, url: string, apiKey: string): Promise<void> {
  await page.goto(`${url}/console/`)
  await page.getByLabel('API key').fill(apiKey)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'DIDs', level: 1 }).waitFor()
}
