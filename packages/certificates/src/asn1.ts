import { createRequire } from 'node:module'
import type * as Schema from '@peculiar/asn1-schema'
import type * as X509 from '@peculiar/asn1-x509'

const load = createRequire(import.meta.url)

/** The schemas of X.509. They are loaded where there is a certificate to read: most services start without them. */
export const x509Schemas = () => load('@peculiar/asn1-x509') as typeof X509

const converter = () => (load('@peculiar/asn1-schema') as typeof Schema).AsnConvert

/** @throws where it is not that in DER */
export const parseDer = <T>(der: Parameters<typeof Schema.AsnConvert.parse>[0], type: new () => T): T =>
  converter().parse(der, type)

export const serializeDer = (value: object): Buffer => Buffer.from(converter().serialize(value))
