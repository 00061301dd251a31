import type {
  ListFill,
  NamedStatusList,
  NewAccountEvent,
  StatusListLocation,
  StatusListType,
} from '@vidimus/core-types'
import { listUrl } from '../types/list-url.js'

/**
 * The account's event about a version of a list: which entries changed is only for verifiers.
 *
 * @param entriesChanged - absent for the first version
 */
export function listEvent(
  { type: listType }: StatusListType,
  location: StatusListLocation,
  versionId: string,
  entriesChanged?: number,
): NewAccountEvent {
  const { did, statusListName } = location
  const isNew = entriesChanged === undefined
  return {
    type: isNew ? 'list.created' : 'list.updated',
    subject: listUrl(location),
    data: { did, listType, statusListName, versionId, ...(!isNew && { entriesChanged }) },
  }
}

/** The account's event about a list of which few indices are left. @param list - as credentials name it */
export function nearlyFullEvent(list: NamedStatusList, { allocated, entries }: ListFill): NewAccountEvent {
  const { did, statusListName, url } = list
  return {
    type: 'list.nearly-full',
    subject: listUrl(list),
    data: { did, statusListName, list: url, allocated, entries },
  }
}
