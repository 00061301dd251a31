import type { Connection, Sql } from '@vidimus/database'

/** A connection that does what another one does, and shows its statements before; what that gives back is run in their place. */
export const watchedConnection = (
  connection: Connection,
  see: (statement: Sql) => Sql | void,
): Connection => {
  const seen = (statement: Sql) => see(statement) ?? statement
  return {
    query: (statement) => connection.query(seen(statement)),
    queryApart: (statement) => connection.queryApart(seen(statement)),
    run: (statement) => connection.run(seen(statement)),
    send: (statement, refused) => connection.send(seen(statement), refused),
    whenCommitted: (then) => connection.whenCommitted(then),
    shared: connection.shared,
  }
}
