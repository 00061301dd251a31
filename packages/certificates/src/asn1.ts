import { createRequire } from 'node:module'
import type * as Schema from '@peculiar/asn1-schema'
import type * as X509 from '@peculiar/asn1-x509'

const load = createRequire(import.meta.url)

/** X.509 schemas, loaded on first use: most services start without certificates. */
export const x509Schemas = () => load('@peculiar/asn1-x509') as typeof X509

const converter = () => (load('@peculiar/asn1-schema') as typeof Schema).AsnConvert

/** @throws if the bytes are not that structure in DER */
export const parseDer = <T>(der: Parameters<typeof Schema.AsnConvert.parse>[0], type: new () => T): T =>
  converter().parse(der, type)

export const serializeDer = (value: object): Buffer => Buffer.from(converter().serialize(value))
