import { z } from 'zod'
import { defineOperation } from '../operation.js'
import { deactivationMethod } from '../registrar/deactivation-method.js'
import { isFixed, methodName } from '../registrar/registrar-method.js'

const Properties = z.object({
  provider: z.string().meta({ description: 'Full name of the DID provider' }),
  secretMode: z.literal('internal').meta({ description: 'Keys are created and kept by the service' }),
  creatable: z.boolean(),
  updatable: z.boolean().meta({ description: 'Whether the provider can replace documents' }),
  deactivatable: z.boolean(),
  optionsChecked: z.boolean().meta({
    description: 'Whether the provider refuses options that it does not know; others may ignore them',
  }),
})

const exampleProperties = {
  provider: 'did:cheqd',
  secretMode: 'internal' as const,
  creatable: true,
  updatable: true,
  deactivatable: true,
  optionsChecked: true,
}

export const registrarProperties = defineOperation({
  id: 'registrar-properties',
  method: 'get',
  path: '/1.0/properties',
  tag: 'Registrar',
  summary: 'List what the registrar supports for each DID method',
  description:
    'Keyed by the method name, as POST /1.0/create takes it. GET /1.0/methods is the list of the resolver.',
  needs: ['didManagerGetProviders'],
  changes: false,
  response: z.record(z.string(), Properties).meta({ id: 'RegistrarProperties' }),
  responseExample: { cheqd: exampleProperties },
  async run({ agent }) {
    const providers = await agent.didManagerGetProviders()
    const listed = agent.availableMethods().includes('didManagerListProviders')
      ? await agent.didManagerListProviders()
      : providers.map((name) => ({ name, canUpdate: true, checksOptions: false }))
    const abilities = new Map(listed.map((each) => [each.name, each]))
    return Object.fromEntries(
      [...providers].sort().map((provider) => [
        methodName(provider),
        {
          provider,
          secretMode: 'internal',
          creatable: true,
          updatable: !isFixed(provider) && abilities.get(provider)?.canUpdate === true,
          deactivatable: !isFixed(provider) && deactivationMethod(provider, agent) !== undefined,
          optionsChecked: abilities.get(provider)?.checksOptions === true,
        },
      ]),
    )
  },
})
