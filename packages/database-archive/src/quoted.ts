import { Sql } from '@vidimus/database'

/** The name of a table or column as a part of a statement. */
export const quoted = (name: string): Sql => new Sql([`"${name.replaceAll('"', '""')}"`], [])
