/** What the driver tells about an error of the server. */
export interface ServerError {
  message: string
  /** the SQLSTATE */
  code: string
  /** where it happened, a line for each context */
  where?: string | undefined
  /** the function of the server that reported it */
  routine?: string | undefined
}

export interface CitusError {
  /** the SQLSTATE that belongs to it, for which Citus may have another one */
  code: string
  /** a server behind the one that answers, which has some of the rows, reported it or is gone */
  isBehind: boolean
}

const INTERNAL = 'XX000'
const CONNECTION_FAILURE = '08006'
const ADMIN_SHUTDOWN = '57P01'
const SERIALIZATION_FAILURE = '40001'

/** The context of what a server with rows reported. Citus translates nothing. */
const RELAYED = /^while executing command on /m

/** What Citus itself says about its connections to servers with rows, under several codes. */
const LOST =
  /^(connection to the remote node|connection establishment for (the remote )?node|could not establish any connections to the node|failure on connection marked as essential|execution cannot recover from multiple connection failures|failed to prepare transaction|failed to COPY to shard|failed to complete COPY on)\b/

/** Its loops that wait for other servers end so if the server itself is ending. */
const ENDING = 'postmaster was shut down, exiting'

/** It reports the refusal of a row without the reason, except for the words. */
const REFUSED_ROW = 'ReportCopyError'

/**
 * Restores what the coordinator of Citus leaves out: that a server with rows is gone, for which the library of PostgreSQL has no
 * SQLSTATE and words in the language of the server; and that one refused a row that came from `INSERT ... SELECT`. The latter is
 * taken for a failure of the order of transactions, the only refusal of our rows that is no mistake; whatever it was, nothing is
 * committed, and the work finds out when it is repeated.
 *
 * @see https://github.com/citusdata/citus/blob/v13.2.2/src/backend/distributed/connection/remote_commands.c `ReportResultError`
 * @see https://github.com/citusdata/citus/blob/v13.2.2/src/backend/distributed/commands/multi_copy.c `ReportCopyError`
 */
export function readCitusError({ message, code, where = '', routine }: ServerError): CitusError {
  if (LOST.test(message)) return { code: CONNECTION_FAILURE, isBehind: true }
  const isInternal = code === INTERNAL
  if (isInternal && routine === REFUSED_ROW) return { code: SERIALIZATION_FAILURE, isBehind: true }
  if (isInternal && message.startsWith(ENDING)) return { code: ADMIN_SHUTDOWN, isBehind: false }
  if (!RELAYED.test(where)) return { code, isBehind: false }
  // A server that has failed internally is none that can be used, either.
  return { code: isInternal ? CONNECTION_FAILURE : code, isBehind: true }
}
