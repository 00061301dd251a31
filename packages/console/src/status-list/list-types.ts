import type { AnswerOf } from '@vidimus/client'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession, useWhyNot } from '../session.js'

/** The service's data about a status list type, including those of plugins. */
export type ListTypeFacts = AnswerOf<'/credential-status/types', 'get'>['types'][number]

/**
 * The types of the service; empty while they are unknown, and if the key or the service does not allow reading them.
 */
export function useListTypes(wanted = true): readonly ListTypeFacts[] {
  const { client } = useSession()
  const mayAsk = useWhyNot()('status-list-types') === undefined
  const isAsked = wanted && mayAsk
  const read = async () => (isAsked ? (await client.get('/credential-status/types')).types : [])
  return useLoaded(`list types ${isAsked}`, read).value ?? []
}
