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
import { ConfigRequest, ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import type { ChainState } from './chain-state.js'
import { unreachable } from './failures.js'
import { isLedgerError } from './is-ledger-error.js'

/** What the chain taxes in its own way; a payment costs its gas. */
export type FeeKind = 'createDid' | 'updateDid' | 'deactivateDid' | 'image' | 'json' | 'default'

export type Fees = Readonly<Record<FeeKind, bigint>>

type Quotes = Readonly<Record<FeeKind, Quote>>

const KEEP_MS = 60_000
/** The price may rise between the quote and the block; the excess is not charged. */
const MARGIN_PERCENT = 110n
/** If the chain has no fee market: the default minimum of nodes. */
const DEFAULT_GAS_PRICE = 5_000n
/** One of a price of gas is so many ncheq (`FeeOffset` of cheqd-node). */
const FEE_OFFSET = 10_000n
/** Prices of gas are decimal numbers with 18 places, written without the point. */
const DECIMALS = 18

/** The current prices of messages, in ncheq, as reported by the chain: read once a minute. */
export class FeeQuotes {
  private quoted: { quotes: Promise<Quotes>; until: number } | undefined
  private nodeAsks: { price: bigint; until: number } | undefined

  constructor(private readonly state: ChainState) {}

  /** @throws LedgerError */
  async current(): Promise<Fees> {
    const { createDid, updateDid, deactivateDid, image, json, default: others } = await this.quotes()
    return {
      createDid: createDid.ncheq,
      updateDid: updateDid.ncheq,
      deactivateDid: deactivateDid.ncheq,
      image: image.ncheq,
      json: json.ncheq,
      default: others.ncheq,
    }
  }

  /**
   * Whether such messages may share a transaction: for a fee in a range the chain charges each message what the whole
   * transaction offers.
   */
  async isFixed(kind: FeeKind): Promise<boolean> {
    const quotes = await this.quotes()
    return quotes[kind].isFixed
  }

  /** The chain has found them too low. */
  forget(quotes = this.quoted?.quotes): void {
    if (this.quoted?.quotes === quotes) this.quoted = undefined
  }

  private quotes(): Promise<Quotes> {
    const now = performance.now()
    if (!this.quoted || this.quoted.until <= now) {
      const quotes = this.ask()
      this.quoted = { quotes, until: now + KEEP_MS }
      quotes.catch(() => this.forget(quotes))
    }
    return this.quoted.quotes
  }

  /** in ncheq for one unit of gas; only messages other than those of did:cheqd pay it */
  async gasPrice(): Promise<bigint> {
    const answer = await this.state.query(
      '/feemarket.feemarket.v1.Query/GasPrice',
      [GasPriceRequest, GasPriceResponse],
      { denom: 'ncheq' },
    )
    const asked = BigInt(answer?.price?.amount ?? '0') * FEE_OFFSET * MARGIN_PERCENT
    const market = roundedUp(String(asked), DECIMALS + 2)
    return largest(market, DEFAULT_GAS_PRICE, await this.nodePrice())
  }

  /**
   * The minimum price of nodes for one unit of gas of any transaction, in ncheq: as they report it, or as they have
   * refused.
   */
  async nodePrice(): Promise<bigint> {
    const now = performance.now()
    if (!this.nodeAsks || this.nodeAsks.until <= now) {
      this.nodeAsks = { price: await this.askNode(), until: now + KEEP_MS }
    }
    return this.nodeAsks.price
  }

  /** A node has refused a transaction as its price of gas is higher than was known. */
  learnFrom(refusal: string, gas: number): void {
    const [, required] = /^insufficient fees; .*required: (\d+)ncheq/.exec(refusal) ?? []
    if (required === undefined || gas <= 0) return
    const price = (BigInt(required) + BigInt(gas) - 1n) / BigInt(gas)
    this.nodeAsks = { price, until: performance.now() + KEEP_MS }
  }

  private async askNode(): Promise<bigint> {
    const answer = await this.state
      .query('/cosmos.base.node.v1beta1.Service/Config', [ConfigRequest, ConfigResponse], {})
      .catch(unlessRefused)
    const [, whole = '0', fraction = ''] =
      /(?:^|,)(\d+)(?:\.(\d+))?ncheq/.exec(answer?.minimumGasPrice ?? '') ?? []
    return BigInt(whole) + (/[1-9]/.test(fraction) ? 1n : 0n)
  }

  private async ask(): Promise<Quotes> {
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
    if (!did?.params || !resource?.params)
      throw unreachable('the node does not report the fees of the ledger')
    return this.inNcheq(did.params, resource.params)
  }

  private async inNcheq(did: DidFeeParams, resource: ResourceFeeParams): Promise<Quotes> {
    const prices = new Map<string, bigint | undefined>()
    const price = async (usd: string) => {
      if (!prices.has(usd)) prices.set(usd, await this.convert(usd))
      return prices.get(usd)
    }
    return {
      createDid: await quoteLeast(did.createDid, price),
      updateDid: await quoteLeast(did.updateDid, price),
      deactivateDid: await quoteLeast(did.deactivateDid, price),
      image: await quoteLeast(resource.image, price),
      json: await quoteLeast(resource.json, price),
      default: await quoteLeast(resource.default, price),
    }
  }

  /** @returns `undefined` on chains without an oracle, and if it knows no price */
  private async convert(usd: string): Promise<bigint | undefined> {
    const codecs: [typeof ConvertUSDCtoCHEQRequest, typeof ConvertUSDCtoCHEQResponse] = [
      ConvertUSDCtoCHEQRequest,
      ConvertUSDCtoCHEQResponse,
    ]
    const question = { amount: `${usd}usd`, maType: 'wma', wmaStrategy: 'BALANCED', customWeights: [] }
    const answer = await this.state
      .query('/cheqd.oracle.v2.Query/ConvertUSDCtoCHEQ', codecs, question)
      .catch(unlessRefused)
    const ncheq = answer && parseCoins(answer.amount)
    return ncheq === undefined ? undefined : (ncheq * MARGIN_PERCENT + 99n) / 100n
  }
}

const largest = (...amounts: bigint[]) => amounts.reduce((most, amount) => (amount > most ? amount : most))

/** For what a chain or a node does not report. @throws anything but a refusal of the query */
function unlessRefused(error: unknown): undefined {
  if (!isLedgerError(error) || error.phase !== 'query') throw error
}

/** The offer required for a kind of message. */
interface Quote {
  ncheq: bigint
  /** whether the chain charges exactly this, whatever is offered */
  isFixed: boolean
}

/**
 * The minimum offer of a message (`GetFeeForMsg` of cheqd-node): a fixed fee, or the highest of the lower ends of its
 * ranges. Ranges in dollars count if the chain has a price.
 */
export async function quoteLeast(
  ranges: readonly FeeRange[],
  price: (usd: string) => Promise<bigint | undefined>,
): Promise<Quote> {
  const inNcheq = ({ denom, minAmount }: FeeRange) =>
    denom === 'usd'
      ? price(minAmount)
      : Promise.resolve(denom === 'ncheq' ? BigInt(minAmount || '0') : undefined)
  const fixed = ranges.find(({ minAmount, maxAmount }) => minAmount !== '' && minAmount === maxAmount)
  const fixedFee = fixed && (await inNcheq(fixed))
  if (fixedFee !== undefined) return { ncheq: fixedFee, isFixed: true }
  const known = (await Promise.all(ranges.map(inNcheq))).filter((ncheq) => ncheq !== undefined)
  if (known.length === 0) throw unreachable('the ledger charges fees in a currency without a price')
  return { ncheq: largest(...known), isFixed: false }
}

/** The charge at the price of the quote. */
export const withoutMargin = (ncheq: bigint): bigint => (ncheq * 100n) / MARGIN_PERCENT

/** @param decimals - the number of digits after the implied decimal point */
export const roundedUp = (digits: string, decimals: number): bigint => {
  const unit = 10n ** BigInt(decimals)
  return (BigInt(digits) + unit - 1n) / unit
}

/** @param mediaType - of a resource, as the chain detects it */
export function feeKind(type: LedgerMessage['type'], mediaType: string): FeeKind {
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
