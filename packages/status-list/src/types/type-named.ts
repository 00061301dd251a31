import { problemsError, type StatusListType, type StatusListTypeFacts } from '@vidimus/core-types'

/** The configured type of a name. @throws AgentError `unknown_list_type` */
export function typeNamed(types: readonly StatusListType[], listType: string): StatusListType {
  const found = types.find(({ type }) => type === listType)
  if (found) return found
  const known = types.map(({ type }) => type).join(', ')
  throw problemsError('unknown_list_type', [
    { path: 'listType', message: `"${listType}" is not one of ${known}` },
  ])
}

/** What a type is like, for callers. */
export const typeFacts = (type: StatusListType): StatusListTypeFacts => ({
  type: type.type,
  entryType: type.entryType,
  purposes: [...type.purposes],
  statusSizes: [...type.statusSizes],
  resourceTypes: [...type.resourceTypes()],
  defaultLength: type.defaultLength,
  minLength: type.minLength,
  embedsProofs: type.embedsProofs ?? false,
})
