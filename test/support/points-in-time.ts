import { visitArguments, type ArgumentPath, type Schema, type Schemas } from './naming-arguments.js'

/** A name that says so: `validUntil`, `expiresAt`, `issuanceDate`, `versionTime`. */
const NAME = /(?:[a-z](?:At|Until|From|Date|Time|Before)|^(?:since|until|before|from|date|time))$/

/** Arguments of a schema that are points in time, by their format or their name. */
export const pointsInTime = (schema: Schema | undefined, schemas: Schemas): ArgumentPath[] =>
  visitArguments(schema, schemas, (path, { format, type, enum: values }) => {
    const name = path.findLast((step) => step !== '0') ?? ''
    if (format === 'date-time' || format === 'date') return true
    return NAME.test(name) && values === undefined && [type].flat().includes('string')
  })
