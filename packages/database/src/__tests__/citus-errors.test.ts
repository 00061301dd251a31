import assert from 'node:assert/strict'
import { isAgentError } from '@vidimus/core-types'
import { isOrderingFailure, isPartAway, isUniqueViolation, toDatabaseError } from '../errors.js'
import { whyNotCommitted } from '../commit-outcome.js'

interface Reported {
  code: string
  where?: string
  routine?: string
}

const WORKER = 'while executing command on 127.0.0.1:9702'
const CLOSED =
  'server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally'
const REMOTE = 'connection to the remote node vidimus@127.0.0.1:9702 failed with the following error: '

/** As the driver has it. */
const reported = (message: string, fields: Reported) => Object.assign(new Error(message), fields)
const read = (message: string, fields: Reported) =>
  toDatabaseError(reported(message, fields), 'INSERT INTO note')
const atCommit = (error: unknown) => whyNotCommitted({ status: 'fulfilled', value: undefined }, error)
const codeOf = (error: unknown) => (isAgentError(error) ? error.code : 'none')

/** With what Citus 13.2.2 reported when a server with rows was killed, stopped or crashed. */
const AWAY: readonly (readonly [message: string, Reported])[] = [
  [`${REMOTE}Connection refused`, { code: '08006', routine: 'ReportConnectionError' }],
  [`${REMOTE}FATAL:  the database system is starting up`, { code: '08006' }],
  [`${REMOTE}FATAL:  the database system is not yet accepting connections`, { code: '08006' }],
  [`${REMOTE}connection not open`, { code: '08006' }],
  [CLOSED, { code: 'XX000', where: WORKER, routine: 'ReportResultError' }],
  // in another language, and below another context
  [
    'Server beendete die Verbindung unerwartet',
    { code: 'XX000', where: `${WORKER}\nPL/pgSQL function noted() line 1 at SQL statement` },
  ],
  ['', { code: 'XX000', where: WORKER }],
  ['terminating connection due to unexpected postmaster exit', { code: '57P01', where: WORKER }],
  ['terminating connection due to administrator command', { code: '57P01', where: WORKER }],
  ['terminating connection because of crash of another server process', { code: '57P02', where: WORKER }],
  ['failure on connection marked as essential: 127.0.0.1:9702', { code: 'XX000' }],
  ['could not establish any connections to the node 127.0.0.1:9702 after 30000 ms', { code: '08006' }],
  ['connection establishment for node 127.0.0.1:9702 failed', { code: '08006' }],
  [
    'execution cannot recover from multiple connection failures. Last node failed worker:1',
    { code: 'XX000' },
  ],
  [`failed to prepare transaction 'citus_0_1_2_3' on host 127.0.0.1:9702`, { code: 'XX000' }],
  ['failed to COPY to shard 102068 on 127.0.0.1:9702', { code: '58030', routine: 'EndRemoteCopy' }],
  ['failed to complete COPY on 127.0.0.1:9702', { code: '58030', routine: 'ReportCopyError' }],
]

describe('what the coordinator of Citus reports', () => {
  it('says that a server with rows is gone, whatever its code and language', () => {
    for (const [message, fields] of AWAY) {
      const error = read(message, fields)
      assert.deepEqual([codeOf(error), isPartAway(error)], ['unavailable', true], message)
    }
  })

  it('says so at COMMIT only while servers prepare: then nothing is committed', () => {
    for (const [message, fields] of AWAY)
      assert.equal(codeOf(atCommit(read(message, fields))), 'unavailable', message)
  })

  it('does not say what became of a COMMIT if it is its own internal error, or about itself', () => {
    for (const [message, code] of [
      ['could not commit transaction for shard 102068 on at least one active node', 'XX000'],
      ['postmaster was shut down, exiting', 'XX000'],
      ['terminating connection due to administrator command', '57P01'],
    ] as const) {
      const error = read(message, { code })
      assert.deepEqual([codeOf(atCommit(error)), isPartAway(error)], ['outcome_unknown', false], message)
    }
  })

  it('says that itself is ending', () => {
    assert.equal(codeOf(read('postmaster was shut down, exiting', { code: 'XX000' })), 'unavailable')
  })

  it('is a failure of order where the server with rows had one, also if its code was left out', () => {
    const message = 'could not serialize access due to read/write dependencies among transactions'
    for (const fields of [
      { code: '40001', where: WORKER, routine: 'ReportResultError' },
      { code: 'XX000', routine: 'ReportCopyError' },
    ]) {
      const error = read(message, fields)
      assert.equal(isOrderingFailure(error), true)
      assert.equal(isOrderingFailure(atCommit(error)), true)
    }
    const deadlock = 'canceling the transaction since it was involved in a distributed deadlock'
    assert.equal(isOrderingFailure(read(deadlock, { code: '40P01' })), true)
  })

  it('keeps the code of what a server with rows refused, which is not away', () => {
    const error = read('duplicate key value violates unique constraint "note_pkey_102008"', {
      code: '23505',
      where: WORKER,
    })
    assert.deepEqual([isUniqueViolation(error, 'note'), isPartAway(error)], [true, false])
    const late = read('canceling statement due to statement timeout', { code: '57014', where: WORKER })
    assert.deepEqual([codeOf(late), isPartAway(late)], ['unavailable', false])
  })

  it('stays an internal error if nothing is known about it', () => {
    const error = read('unexpected query index while processing', { code: 'XX000' })
    assert.equal(codeOf(error), 'none')
    assert.equal(codeOf(atCommit(error)), 'outcome_unknown')
  })
})
