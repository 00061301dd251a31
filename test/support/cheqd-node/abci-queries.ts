import * as did from '@cheqd/ts-proto/cheqd/did/v2/index.js'
import * as oracle from '@cheqd/ts-proto/cheqd/oracle/v2/query.js'
import * as resource from '@cheqd/ts-proto/cheqd/resource/v2/index.js'
import * as feemarket from '@cheqd/ts-proto/feemarket/feemarket/v1/query.js'
import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth'
import { QueryAccountRequest, QueryAccountResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import {
  QueryAllBalancesRequest,
  QueryAllBalancesResponse,
  QueryBalanceRequest,
  QueryBalanceResponse,
} from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { ConfigResponse } from 'cosmjs-types/cosmos/base/node/v1beta1/query'
import { GetNodeInfoResponse } from 'cosmjs-types/cosmos/base/tendermint/v1beta1/query'
import { QueryParamsResponse as ConsensusParams } from 'cosmjs-types/cosmos/consensus/v1/query'
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys'
import {
  QueryParamsResponse as StakingParams,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { SimulateRequest, SimulateResponse } from 'cosmjs-types/cosmos/tx/v1beta1/service'
import { AuthInfo, Tx, TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { cheqdDid, normaliseDid, normaliseUniqueId } from '@vidimus/ledger'
import { balanceOf, moduleAddress } from './accounts.js'
import type { Chain } from './chain.js'
import { metadataToProto, toProto } from './identity-messages.js'
import { latestDidDoc } from './latest-document.js'
import { Refusal, sdkRefusal } from './refusal.js'
import { lineKey, resourceKey, versionKey, type ChainResource, type StateReader } from './state.js'
import { convertToCheq } from './taxes.js'
import { decodeTransaction } from './transaction.js'

/** What a query is asked of. */
export interface QueryView {
  chain: Chain
  state: StateReader
  /** with what waits in the mempool */
  checked: StateReader
  cometVersion: string
  appVersion: string
}

type Query = (view: QueryView, request: Uint8Array) => Uint8Array | Promise<Uint8Array>

const notFound = (what: string): Refusal => sdkRefusal(22, `${what} not found`)

const DID_QUERIES: Readonly<Record<string, Query>> = {
  '/cheqd.did.v2.Query/DidDoc': ({ state }, request) => {
    const { id } = did.QueryDidDocRequest.decode(request)
    const found = latestDidDoc(state, normaliseDid(id))
    if (!found) throw sdkRefusal(6, `${id}: DID Doc not found`)
    return did.QueryDidDocResponse.encode({ value: toProto(found) }).finish()
  },
  '/cheqd.did.v2.Query/DidDocVersion': ({ state }, request) => {
    const { id, version } = did.QueryDidDocVersionRequest.decode(request)
    const found = state.get('didDoc', versionKey(normaliseDid(id), version.toLowerCase()))
    if (!found) throw sdkRefusal(6, `${id} version ${version}: DID Doc not found`)
    return did.QueryDidDocVersionResponse.encode({ value: toProto(found) }).finish()
  },
  '/cheqd.did.v2.Query/AllDidDocVersionsMetadata': ({ state }, request) => {
    const id = normaliseDid(did.QueryAllDidDocVersionsMetadataRequest.decode(request).id)
    const versions = [...(state.get('didVersions', id) ?? [])].sort().flatMap((versionId) => {
      const found = state.get('didDoc', versionKey(id, versionId))
      return found ? [metadataToProto(found.metadata)] : []
    })
    return did.QueryAllDidDocVersionsMetadataResponse.encode({ versions, pagination: undefined }).finish()
  },
  '/cheqd.did.v2.Query/Params': ({ chain }) =>
    did.QueryParamsResponse.encode({ params: chain.settings.market.fees.did }).finish(),
}

const RESOURCE_QUERIES: Readonly<Record<string, Query>> = {
  '/cheqd.resource.v2.Query/Resource': (view, request) => {
    const { collectionId, id } = resource.QueryResourceRequest.decode(request)
    return encodeResource(findResource(view, collectionId, id))
  },
  '/cheqd.resource.v2.Query/ResourceMetadata': (view, request) => {
    const { collectionId, id } = resource.QueryResourceMetadataRequest.decode(request)
    const { metadata } = findResource(view, collectionId, id)
    return resource.QueryResourceMetadataResponse.encode({ resource: metadata }).finish()
  },
  '/cheqd.resource.v2.Query/LatestResourceVersion': (view, request) => {
    const { collectionId, name, resourceType } = resource.QueryLatestResourceVersionRequest.decode(request)
    return encodeResource(findLatest(view, collectionId, name, resourceType))
  },
  '/cheqd.resource.v2.Query/LatestResourceVersionMetadata': (view, request) => {
    const asked = resource.QueryLatestResourceVersionMetadataRequest.decode(request)
    const { metadata } = findLatest(view, asked.collectionId, asked.name, asked.resourceType)
    return resource.QueryLatestResourceVersionMetadataResponse.encode({ resource: metadata }).finish()
  },
  '/cheqd.resource.v2.Query/CollectionResources': ({ state, chain }, request) => {
    const asked = resource.QueryCollectionResourcesRequest.decode(request).collectionId
    const collectionId = normaliseUniqueId(asked)
    const owner = cheqdDid(chain.settings.network, collectionId)
    if (!latestDidDoc(state, owner)) throw sdkRefusal(6, `${owner}: DID Doc not found`)
    const resources = [...(state.get('collection', collectionId) ?? [])].sort().flatMap((id) => {
      const found = state.get('resource', resourceKey(collectionId, id))
      return found ? [found.metadata] : []
    })
    return resource.QueryCollectionResourcesResponse.encode({ resources, pagination: undefined }).finish()
  },
  '/cheqd.resource.v2.Query/Params': ({ chain }) =>
    resource.QueryParamsResponse.encode({ params: chain.settings.market.fees.resource }).finish(),
}

const MARKET_QUERIES: Readonly<Record<string, Query>> = {
  '/cheqd.oracle.v2.Query/ConvertUSDCtoCHEQ': ({ chain }, request) => {
    const { amount } = oracle.ConvertUSDCtoCHEQRequest.decode(request)
    const converted = convertToCheq(amount, chain.settings.market.price)
    if (converted === undefined) throw sdkRefusal(18, `${amount} cannot be converted`)
    return oracle.ConvertUSDCtoCHEQResponse.encode({ amount: converted }).finish()
  },
  '/feemarket.feemarket.v1.Query/GasPrice': ({ chain }, request) => {
    const { denom } = feemarket.GasPriceRequest.decode(request)
    if (denom !== 'ncheq') throw sdkRefusal(18, `unknown denom ${denom}`)
    const amount = String(BigInt(Math.round(chain.settings.gasPrice * 1e9)) * 10n ** 9n)
    return feemarket.GasPriceResponse.encode({ price: { denom, amount } }).finish()
  },
}

const COSMOS_QUERIES: Readonly<Record<string, Query>> = {
  '/cosmos.auth.v1beta1.Query/Account': ({ state }, request) => {
    const { address } = QueryAccountRequest.decode(request)
    const found = state.get('account', address)
    if (!found) throw sdkRefusal(22, `rpc error: code = NotFound desc = account ${address} not found`)
    const pubKey = found.publicKey && {
      typeUrl: '/cosmos.crypto.secp256k1.PubKey',
      value: PubKey.encode(PubKey.fromPartial({ key: found.publicKey })).finish(),
    }
    const account = BaseAccount.fromPartial({
      address,
      accountNumber: BigInt(found.accountNumber),
      sequence: BigInt(found.sequence),
      ...(pubKey ? { pubKey } : {}),
    })
    const any = { typeUrl: '/cosmos.auth.v1beta1.BaseAccount', value: BaseAccount.encode(account).finish() }
    return QueryAccountResponse.encode(QueryAccountResponse.fromPartial({ account: any })).finish()
  },
  '/cosmos.bank.v1beta1.Query/Balance': ({ state }, request) => {
    const { address, denom } = QueryBalanceRequest.decode(request)
    const amount = denom === 'ncheq' ? balanceOf(state, address) : 0n
    const balance = { denom, amount: String(amount) }
    return QueryBalanceResponse.encode(QueryBalanceResponse.fromPartial({ balance })).finish()
  },
  '/cosmos.bank.v1beta1.Query/AllBalances': ({ state }, request) => {
    const { address } = QueryAllBalancesRequest.decode(request)
    const amount = balanceOf(state, address)
    const balances = amount > 0n ? [{ denom: 'ncheq', amount: String(amount) }] : []
    return QueryAllBalancesResponse.encode(QueryAllBalancesResponse.fromPartial({ balances })).finish()
  },
  '/cosmos.staking.v1beta1.Query/Params': () => {
    const params = { bondDenom: 'ncheq', maxValidators: 125, maxEntries: 7, historicalEntries: 10_000 }
    return StakingParams.encode(StakingParams.fromPartial({ params })).finish()
  },
  '/cosmos.staking.v1beta1.Query/Validators': () => {
    const validator = { operatorAddress: moduleAddress('validator'), tokens: '1000000', status: 3 }
    return QueryValidatorsResponse.encode(
      QueryValidatorsResponse.fromPartial({ validators: [validator] }),
    ).finish()
  },
  '/cosmos.base.node.v1beta1.Service/Config': ({ chain }) => {
    const { minimumGasPrice: price } = chain.settings
    const minimumGasPrice = price === 0 ? '' : `${price}.000000000000000000ncheq`
    return ConfigResponse.encode(ConfigResponse.fromPartial({ minimumGasPrice })).finish()
  },
  '/cosmos.tx.v1beta1.Service/Simulate': async ({ chain, checked }, request) => {
    const { gasUsed, gasWanted, data, log } = await simulate(chain, checked, request)
    const gasInfo = { gasUsed: BigInt(gasUsed), gasWanted: BigInt(gasWanted) }
    const response = SimulateResponse.fromPartial({ gasInfo, result: { data, log } })
    return SimulateResponse.encode(response).finish()
  },
  '/cosmos.base.tendermint.v1beta1.Service/GetNodeInfo': ({ chain, cometVersion, appVersion }) => {
    const response = GetNodeInfoResponse.fromPartial({
      defaultNodeInfo: { network: chain.settings.chainId, version: cometVersion, moniker: 'node-for-tests' },
      applicationVersion: {
        name: 'cheqd-node',
        appName: 'cheqd-noded',
        version: appVersion,
        cosmosSdkVersion: 'v0.50.14',
      },
    })
    return GetNodeInfoResponse.encode(response).finish()
  },
  '/cosmos.consensus.v1.Query/Params': ({ chain }) => {
    const { maxBytes, maxGas } = chain.settings.block
    const unlimited = (limit: number) => (limit === 0 ? -1n : BigInt(limit))
    const params = { block: { maxBytes: unlimited(maxBytes), maxGas: unlimited(maxGas) } }
    return ConsensusParams.encode(ConsensusParams.fromPartial({ params })).finish()
  },
}

const QUERIES: Readonly<Record<string, Query>> = {
  ...DID_QUERIES,
  ...RESOURCE_QUERIES,
  ...MARKET_QUERIES,
  ...COSMOS_QUERIES,
}

/** @throws Refusal, `sdk` 6 for paths that the chain does not know */
export async function answerQuery(
  view: QueryView,
  path: string,
  request: Uint8Array,
  missing: ReadonlySet<string>,
): Promise<Uint8Array> {
  const query = missing.has(path) ? undefined : QUERIES[path]
  if (!query) throw sdkRefusal(6, 'unknown query path')
  return await query(view, request)
}

function findResource({ state }: QueryView, collection: string, id: string): ChainResource {
  const found = state.get('resource', resourceKey(normaliseUniqueId(collection), id.toLowerCase()))
  if (!found) throw notFound(`resource ${collection}:${id}`)
  return found
}

function findLatest(view: QueryView, collection: string, name: string, type: string): ChainResource {
  const id = view.state.get('latestResource', lineKey(normaliseUniqueId(collection), name, type))
  if (id === undefined) throw notFound(`resource ${collection}:${name}:${type}`)
  return findResource(view, collection, id)
}

const encodeResource = ({ data, metadata }: ChainResource): Uint8Array =>
  resource.QueryResourceResponse.encode({ resource: { resource: { data }, metadata } }).finish()

async function simulate(chain: Chain, checked: StateReader, request: Uint8Array) {
  try {
    return await chain.simulate(checked, transactionOf(request))
  } catch (error) {
    if (error instanceof Refusal) throw sdkRefusal(6, `rpc error: code = Unknown desc = ${error.message}`)
    throw error
  }
}

/** A simulation comes as bytes, or as a transaction of the older kind. */
function transactionOf(request: Uint8Array) {
  const { txBytes, tx } = SimulateRequest.decode(request)
  if (txBytes.length > 0) return decodeTransaction(txBytes)
  const { body, authInfo, signatures } = tx ?? Tx.fromPartial({})
  const raw = TxRaw.fromPartial({
    bodyBytes: TxBody.encode(body ?? TxBody.fromPartial({})).finish(),
    authInfoBytes: AuthInfo.encode(authInfo ?? AuthInfo.fromPartial({})).finish(),
    signatures,
  })
  return decodeTransaction(TxRaw.encode(raw).finish())
}
