import { AFTER_RESTORE, cheqText, isAgentError, type Finding } from '@vidimus/core-types'
import { WITHOUT_INDEX, type CheqdReport } from './chain-report.js'
import type { Settings } from './options.js'

/** A payer that can make no more than so many DIDs should be filled up. */
const FEW_DIDS = 10n
/** The newest block is at most a few seconds old if everything works. */
const LATE_BLOCK_SECONDS = 60
/** A block this far in the future means that the clock of this machine is wrong, or that of the validators. */
const FUTURE_SECONDS = 10

type Limits = Pick<Settings, 'network' | 'staleBlockSeconds' | 'maxFee'>

/** The state of a network and of our resources on it, for an operator: node, fees, payer and outbox. Never throws. */
export async function diagnoseChain(
  limits: Limits,
  report: () => Promise<CheqdReport>,
  noticeRestore: () => Promise<string | undefined>,
): Promise<Finding[]> {
  try {
    const found = await report()
    return [
      nodeFinding(limits, found),
      feesFinding(limits, found),
      payerFinding(limits, found),
      restoreFinding(limits, await noticeRestore()) ?? outboxFinding(limits, found),
    ]
  } catch (error) {
    return [
      {
        name: `ledger:${limits.network}`,
        level: 'fail',
        message: isAgentError(error) || error instanceof Error ? error.message : 'no node is reachable',
        advice: 'check that the nodes under `rpc` run and are reachable, or configure others',
      },
    ]
  }
}

function nodeFinding({ network, staleBlockSeconds }: Limits, found: CheqdReport): Finding {
  const { chainId, height, blockAgeSeconds: age, catchingUp, host, nodeVersion } = found
  const name = `ledger:${network}`
  const message = `${chainId} at block ${height}, ${Math.max(0, age)} s old, by ${host} (CometBFT ${nodeVersion})`
  if (catchingUp) {
    const advice = 'wait until it has caught up, or list another node first under `rpc`'
    return { name, level: 'fail', message: `${message}: the node is catching up with the chain`, advice }
  }
  if (age > staleBlockSeconds) {
    const advice = 'check whether the chain has halted (status page, other nodes) or only this node'
    return { name, level: 'fail', message: `${message}: the chain or its node has stalled`, advice }
  }
  if (!found.isIndexed) {
    const advice =
      'set `indexer = "kv"` in the config.toml of the node, or list another node first under `rpc`'
    return { name, level: 'warn', message: `${message}: ${WITHOUT_INDEX}`, advice }
  }
  if (age > LATE_BLOCK_SECONDS) {
    return { name, level: 'warn', message: `${message}: late`, advice: 'check again in a minute' }
  }
  if (age < -FUTURE_SECONDS) {
    const advice = 'synchronise the clock of this machine with NTP'
    return { name, level: 'warn', message: `${message}: the block is ${-age} s in the future`, advice }
  }
  return { name, level: 'ok', message }
}

function feesFinding({ network, maxFee }: Limits, { fees }: CheqdReport): Finding {
  const name = `fees:${network}`
  if (!fees) {
    const advice = 'check again later; nothing is written without knowing its cost'
    return { name, level: 'warn', message: 'the chain does not report its fees', advice }
  }
  const { createDid, updateDid, deactivateDid, json, default: signed } = fees
  const prices: [string, bigint][] = [
    ['a DID', createDid],
    ['a change of one', updateDid],
    ['its deactivation', deactivateDid],
    ['a version of a signed status list', signed],
    ['of a StatusList2021', json],
  ]
  const message = prices.map(([what, ncheq]) => `${what} ${cheqText(ncheq)}`).join(', ')
  const dear = prices.filter(([, ncheq]) => ncheq > maxFee).map(([what]) => what)
  if (dear.length === 0) return { name, level: 'ok', message }
  return {
    name,
    level: 'fail',
    message: `${message}; more than the ${cheqText(maxFee)} of maxFee: ${dear.join(', ')}`,
    advice: 'raise `maxFee` if you accept this cost',
  }
}

function payerFinding({ network }: Limits, { payer, fees, sendingFailure }: CheqdReport): Finding {
  const name = `payer:${network}`
  if (!payer) {
    if (sendingFailure !== undefined) {
      return { name, level: 'fail', message: sendingFailure, advice: 'check `payer` in the configuration' }
    }
    const message = 'none is configured: the network is read-only'
    return { name, level: 'warn', message, advice: 'configure a `payer` for the ledger to write' }
  }
  const { address, balance, paysForDids, paysForResources } = payer
  const affords =
    paysForDids === undefined || paysForResources === undefined
      ? ''
      : `, which pays for ${counted(paysForDids, 'DID')} or ${counted(paysForResources, 'version')} of signed status lists`
  const message = `${address} has ${cheqText(balance)}${affords}`
  if (!fees || paysForDids === undefined || paysForDids >= FEW_DIDS) return { name, level: 'ok', message }
  const level = paysForDids === 0n ? 'fail' : 'warn'
  return { name, level, message, advice: `send CHEQ to ${address}` }
}

function restoreFinding({ network }: Limits, ahead: string | undefined): Finding | undefined {
  if (ahead === undefined) return undefined
  const advice = 'run `vidimus restored`: nothing is sent before'
  return { name: `outbox:${network}`, level: 'fail', message: `${ahead}: ${AFTER_RESTORE}`, advice }
}

function outboxFinding({ network }: Limits, { waiting, sendingFailure, payer }: CheqdReport): Finding {
  const name = `outbox:${network}`
  const message = waiting === 0 ? 'nothing is pending' : `${counted(BigInt(waiting), 'message')} pending`
  if (!payer || sendingFailure === undefined || waiting === 0) return { name, level: 'ok', message }
  return {
    name,
    level: 'fail',
    message: `${message}; sending fails: ${sendingFailure}`,
    advice: 'nothing is lost: sending resumes once the cause is resolved',
  }
}

const counted = (count: bigint, what: string): string => `${count} ${what}${count === 1n ? '' : 's'}`
