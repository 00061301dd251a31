import { problemsError, type StatusListType } from '@vidimus/core-types'

/** The configured type of a name. @throws AgentError `unknown_list_type` */
export function typeNamed(types: readonly StatusListType[], listType: string): StatusListType {
  const found = types.find(({ type }) => type === listType)
  if (found) return found
  const known = types.map(({ type }) => type).join(', ')
  throw problemsError('unknown_list_type', [
    { path: 'listType', message: `"${listType}" is not one of ${known}` },
  ])
}
