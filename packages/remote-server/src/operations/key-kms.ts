import { z } from 'zod'
import { defineOperation } from '../operation.js'

const Kms = z
  .object({
    name: z.string().meta({ description: 'As `kms` of requests names it' }),
    isDefault: z.boolean().meta({ description: 'New keys are made in it where a request names none' }),
    keyTypes: z
      .array(z.string())
      .optional()
      .meta({ description: 'Types of keys that it makes; absent where it cannot tell' }),
    importsKeys: z
      .boolean()
      .optional()
      .meta({ description: 'Whether `POST /key/import` can put keys in it; absent where it cannot tell' }),
  })
  .meta({ id: 'KeyManagementSystem' })

export const keyKms = defineOperation({
  id: 'key-kms',
  method: 'get',
  path: '/key/kms',
  tag: 'Keys',
  summary: 'List where keys can live',
  description:
    'The configured KMSs, with what each can do; the default is that of the account where an operator has chosen one.',
  needs: ['keyManagerListKms'],
  changes: false,
  response: z.object({ kms: z.array(Kms) }).meta({ id: 'KeyManagementSystems' }),
  responseExample: {
    kms: [
      {
        name: 'local',
        isDefault: true,
        keyTypes: ['Ed25519', 'Secp256k1', 'Secp256r1', 'X25519'],
        importsKeys: true,
      },
    ],
  },
  async run({ agent, account, settings }) {
    const usual = account.kms ?? settings.defaultKms
    const kms = await agent.keyManagerListKms()
    return { kms: kms.map((one) => ({ ...one, isDefault: one.name === usual })) }
  },
})
