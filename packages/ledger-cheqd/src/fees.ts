import type { FeeParams as DidFeeParams, FeeRange } from '@cheqd/ts-proto/cheqd/did/v2/fee.js'
import { QueryParamsRequest, QueryParamsResponse } from '@cheqd/ts-proto/cheqd/did/v2/query.js'
import { ConvertUSDCtoCHEQRequest, ConvertUSDCtoCHEQResponse } from '@cheqd/ts-proto/cheqd/oracle/v2/query.js'
import type { FeeParams as ResourceFeeParams } from '@cheqd/ts-proto/cheqd/resource/v2/fee.js'
import {
  QueryParamsRequest as ResourceParamsRequest,
  QueryParamsResponse as ResourceParamsResponse,
} from '@cheqd/ts-proto/cheqd/resource/v2/query.js'
import { GasPriceRequest, GasPriceResponse } from '@cheqd/ts-proto/feemarket/feemarket/v1/query.js'
import { parseCoins, type LedgerMessage } from '@vidimus/ledger'
import type { ChainState } from './chain-state.js'
import { unreachable } from './failures.js'
import { isLedgerError } from './is-ledger-error.js'

/** What the chain taxes in its own way; what a payment costs is its gas. */
export type FeeKind = 'createDid' | 'updateDid' | 'deactivateDid' | 'image' | 'json' | 'default'

export type Fees = Readonly<Record<FeeKind, bigint>>

const KEEP_MS = 60_000
/** The price may rise between the quote and the block; what is too much is not taken. */
const MARGIN_PERCENT = 110n
/** Where the chain has no fee market: as much as nodes ask for by default. */
const DEFAULT_GAS_PRICE = 5_000n
/** Prices of gas are decimal numbers with 18 places, written without the point. */
const DECIMALS = 18

/** What messages cost at the moment, in ncheq, as the chain says it: asked for once a minute. */
export class FeeQuotes {
  private quoted: { fees: Promise<Fees>; until: number } | undefined

  constructor(private readonly state: ChainState) {}

  /** @throws LedgerError */
  current(): Promise<Fees> {
    const now = performance.now()
    if (!this.quoted || this.quoted.until <= now) {
      const fees = this.ask()
      this.quoted = { fees, until: now + KEEP_MS }
      fees.catch(() => this.forget(fees))
    }
    return this.quoted.fees
  }

  /** The chain has found them too low. */
  forget(fees = this.quoted?.fees): void {
    if (this.quoted?.fees === fees) this.quoted = undefined
  }

  /** in ncheq for one unit of gas; only what is no message of did:cheqd pays it */
  async gasPrice(): Promise<bigint> {
    const answer = await this.state.query(
      '/feemarket.feemarket.v1.Query/GasPrice',
      [GasPriceRequest, GasPriceResponse],
      { denom: 'ncheq' },
    )
    const asked = roundedUp(answer?.price?.amount ?? '0', DECIMALS)
    const withMargin = (asked * MARGIN_PERCENT) / 100n + 1n
    return withMargin > DEFAULT_GAS_PRICE ? withMargin : DEFAULT_GAS_PRICE
  }

  private async ask(): Promise<Fees> {
    const did = await this.state.query(
      '/cheqd.did.v2.Query/Params',
      [QueryParamsRequest, QueryParamsResponse],
      {},
    )
    const resource = await this.state.query(
      '/cheqd.resource.v2.Query/Params',
      [ResourceParamsRequest, ResourceParamsResponse],
      {},
    )
    if (!did?.params || !resource?.params) throw unreachable('the node does not tell the fees of the ledger')
    return this.inNcheq(did.params, resource.params)
  }

  private async inNcheq(did: DidFeeParams, resource: ResourceFeeParams): Promise<Fees> {
    const prices = new Map<string, bigint | undefined>()
    const price = async (usd: string) => {
      if (!prices.has(usd)) prices.set(usd, await this.convert(usd))
      return prices.get(usd)
    }
    return {
      createDid: await leastOf(did.createDid, price),
      updateDid: await leastOf(did.updateDid, price),
      deactivateDid: await leastOf(did.deactivateDid, price),
      image: await leastOf(resource.image, price),
      json: await leastOf(resource.json, price),
      default: await leastOf(resource.default, price),
    }
  }

  /** @returns `undefined` on chains without an oracle, and where it knows no price */
  private async convert(usd: string): Promise<bigint | undefined> {
    const codecs: [typeof ConvertUSDCtoCHEQRequest, typeof ConvertUSDCtoCHEQResponse] = [
      ConvertUSDCtoCHEQRequest,
      ConvertUSDCtoCHEQResponse,
    ]
    const question = { amount: `${usd}usd`, maType: 'wma', wmaStrategy: 'BALANCED', customWeights: [] }
    const answer = await this.state
      .query('/cheqd.oracle.v2.Query/ConvertUSDCtoCHEQ', codecs, question)
      .catch((error: unknown) => {
        if (isLedgerError(error) && error.phase === 'query') return undefined
        throw error
      })
    const ncheq = answer && parseCoins(answer.amount)
    return ncheq === undefined ? undefined : (ncheq * MARGIN_PERCENT + 99n) / 100n
  }
}

/** The least that a message may offer: by the price of the dollar where the chain has one. */
export async function leastOf(
  ranges: readonly FeeRange[],
  price: (usd: string) => Promise<bigint | undefined>,
): Promise<bigint> {
  const usd = ranges.find(({ denom }) => denom === 'usd')
  const converted = usd && (await price(usd.minAmount))
  if (converted !== undefined) return converted
  const ncheq = ranges.find(({ denom }) => denom === 'ncheq')
  if (!ncheq) throw unreachable('the ledger asks for fees in a currency without a price')
  return BigInt(ncheq.minAmount === '' ? '0' : ncheq.minAmount)
}

/** @param decimals - as many digits stand behind the point that is not written */
export const roundedUp = (digits: string, decimals: number): bigint => {
  const unit = 10n ** BigInt(decimals)
  return (BigInt(digits) + unit - 1n) / unit
}

/** @param mediaType - of a resource, as the chain detects it */
export function feeKindOf(type: LedgerMessage['type'], mediaType: string): FeeKind {
  switch (type) {
    case 'createDidDoc':
      return 'createDid'
    case 'updateDidDoc':
      return 'updateDid'
    case 'deactivateDidDoc':
      return 'deactivateDid'
    case 'createResource':
      if (mediaType.startsWith('image/')) return 'image'
      return mediaType === 'application/json' ? 'json' : 'default'
  }
}
