/**
 * Bytes of an identifier that the database has an index on: a DID, the id of a service, an alias. On PostgreSQL no entry of
 * an index is longer than a third of a page, and several such texts stand in one.
 */
export const LONGEST_INDEXED_TEXT = 1024
