import {
  inCheq,
  Counter,
  askedGauge,
  type Measurement,
  type MeasurementForm,
  type Network,
} from '@vidimus/core-types'
import type { CheqdReport } from './chain-report.js'
import type { OutboxRows } from './outbox-rows.js'

export const OUTBOX_MESSAGES: MeasurementForm = {
  name: 'vidimus_ledger_outbox_messages',
  help: 'Pending messages of all processes to a cheqd network: queued, or in a signed transaction',
  labels: ['network', 'state'],
}

export const OUTBOX_AGE: MeasurementForm = {
  name: 'vidimus_ledger_outbox_oldest_seconds',
  help: 'Age of the oldest pending message to a cheqd network; 0 if there is none',
  labels: ['network'],
}

export const BLOCK_AGE: MeasurementForm = {
  name: 'vidimus_ledger_block_age_seconds',
  help: 'Age of the newest block of a cheqd network',
  labels: ['network'],
}

export const BLOCK_HEIGHT: MeasurementForm = {
  name: 'vidimus_ledger_block_height',
  help: 'Height of the newest block of a cheqd network',
  labels: ['network'],
}

export const PAYER_BALANCE: MeasurementForm = {
  name: 'vidimus_ledger_payer_balance_cheq',
  help: 'Balance of the payer of a cheqd network, in CHEQ',
  labels: ['network'],
}

export const SPEND_TODAY: MeasurementForm = {
  name: 'vidimus_spend_today_cheq',
  help: 'What accounts have spent today (UTC) on their writes to a network, in CHEQ',
  labels: ['network'],
}

export const NODE_FAILURES: MeasurementForm = {
  name: 'vidimus_ledger_node_failures_total',
  help: 'Requests that a node of a cheqd network failed to answer, and that went to the next one or failed',
  labels: ['network'],
}

/** The part of a ledger that its measurements read. */
export interface MeasuredLedger {
  network: Network
  rows: OutboxRows
  nodeFailures: Counter
  hasPayer: boolean
  report: () => Promise<CheqdReport>
}

export const nodeFailureCounter = (network: Network) => new Counter(NODE_FAILURES, [[network]])

/** The state of a cheqd network and its outbox. Nothing is queried until it is read. */
export function networkMeasurements(ledger: MeasuredLedger): readonly Measurement[] {
  const { network, rows, nodeFailures, hasPayer, report } = ledger
  const of = (value: number) => [{ labels: [network], value }]
  return [
    nodeFailures,
    askedGauge(OUTBOX_MESSAGES, async () =>
      Object.entries((await rows.load()).byState).map(([state, value]) => ({
        labels: [network, state],
        value,
      })),
    ),
    askedGauge(OUTBOX_AGE, async () => of((await rows.load()).oldestSeconds)),
    askedGauge(SPEND_TODAY, async () => {
      const { database, spending } = rows
      return of(inCheq(await spending.today(database, await database.now())))
    }),
    askedGauge(BLOCK_AGE, async () => of((await report()).blockAgeSeconds)),
    askedGauge(BLOCK_HEIGHT, async () => of((await report()).height)),
    ...(hasPayer
      ? [
          askedGauge(PAYER_BALANCE, async () => {
            const { payer } = await report()
            return payer ? of(inCheq(payer.balance)) : []
          }),
        ]
      : []),
  ]
}
