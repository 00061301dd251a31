import { gunzipSync, gzipSync } from 'node:zlib'
import { AgentError, problemsError, type StatusListType } from '@vidimus/core-types'

type Doc = { created: string; list: string } & Record<string, unknown>

const malformed = (cause?: unknown) =>
  new AgentError('malformed_list', 'the resource is no TemplateName', { cause })

const pack = (bits: Uint8Array) => gzipSync(bits).toString('base64url')

function unpack(list: string, maxBytes: number): Uint8Array {
  if (!/^[\w-]*$/.test(list)) throw malformed()
  try {
    return gunzipSync(Buffer.from(list, 'base64url'), { maxOutputLength: maxBytes })
  } catch (cause) {
    throw malformed(cause)
  }
}

/**
 * A list in plain JSON that can revoke. The ledger protects it, so it is not signed. Start here, and turn it into the
 * format that you need: the TSDoc of `StatusListType` describes each member.
 */
export const TemplateName: StatusListType<Doc> = {
  type: 'TemplateName',
  entryType: 'TemplateNameEntry',
  purposes: ['revocation'],
  defaultLength: 131_072,
  minLength: 131_072,
  statusSizes: [1],
  defaultStatusSize: () => 1,
  resourceTypes: () => ['TemplateName'],
  resourceTypesOfAction: () => ['TemplateName'],

  create({ length, bits = new Uint8Array(length / 8), ...others }, _location, now) {
    const { encoding, statusMessages, ttl, validUntil } = others
    const problems = Object.entries({ encoding, statusMessages, ttl, validUntil })
      .filter(([, value]) => value !== undefined)
      .map(([path]) => ({ path, message: 'a TemplateName has none' }))
    if (problems.length > 0) throw problemsError('invalid_input', problems)
    return { created: now.toISOString(), list: pack(bits) }
  },
  parse(content) {
    let doc: Partial<Doc> | null
    try {
      doc = JSON.parse(Buffer.from(content).toString()) as Partial<Doc> | null
    } catch (cause) {
      throw malformed(cause)
    }
    if (typeof doc?.created !== 'string' || typeof doc.list !== 'string') throw malformed()
    return { ...doc, created: doc.created, list: doc.list }
  },
  serialise: (doc) => Buffer.from(JSON.stringify(doc)),
  decode: (encodedList, _encoding, maxBytes) => unpack(encodedList, maxBytes),
  unpack: ({ list }, maxBytes) => unpack(list, maxBytes),
  pack: (doc, bits) => ({ ...doc, list: pack(bits) }),
  describe: () => ({ statusSize: 1, order: 'msb', purposes: ['revocation'], encrypted: false }),

  nextValue(_layout, action, current) {
    if (action === 'revoke') return 1
    if (action === 'reinstate' && current === 1)
      throw new AgentError('irreversible', 'is permanently revoked')
    const message = `"${action}" is not an action of this list; possible is revoke`
    throw problemsError('unknown_action', [{ path: 'statusAction', message }])
  },
  report: (_layout, value) => ({ status: value, valid: value === 0, revoked: value === 1 }),

  entry: (_layout, { url }, index) => ({
    type: 'TemplateNameEntry',
    index: String(index),
    list: url,
  }),
  readEntry({ index, list }) {
    if (typeof index !== 'string' || !/^(0|[1-9]\d{0,14})$/.test(index) || typeof list !== 'string') {
      throw new AgentError('invalid_credential', 'the TemplateNameEntry needs an index in decimal and a list')
    }
    return { listUrl: list, index: Number(index), statusSize: 1 }
  },
  toResource: (doc) => ({ TemplateName: doc }),
}
