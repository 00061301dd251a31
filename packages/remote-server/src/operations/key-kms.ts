import { ListedKms } from '@vidimus/core-types/schemas'
import { z } from 'zod'
import { defineOperation } from '../operation.js'

const Kms = ListedKms.extend({
  isDefault: z.boolean().meta({ description: 'New keys are created in it by default' }),
}).meta({ id: 'KeyManagementSystem' })

export const keyKms = defineOperation({
  id: 'key-kms',
  method: 'get',
  path: '/key/kms',
  tag: 'Keys',
  summary: 'List the KMSs',
  description:
    'The configured KMSs and their capabilities; an operator can choose the default for an account.',
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
