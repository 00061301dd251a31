/** Types whose entries have one status for all purposes, which every reader of the type knows. */
const ONE_STATUS: ReadonlySet<string> = new Set(['TokenStatusList'])

/** Types that may have several lists of one name, which differ by their purposes. */
const SHARED_NAMES: ReadonlySet<string> = new Set(['StatusList2021'])

/**
 * The lists that the form creates: one for each purpose, as few verifiers read a list with several.
 *
 * @param purpose - as it is chosen: purposes joined by "and"
 */
export function listsToCreate(
  listType: string,
  name: string,
  purpose: string,
): { statusListName: string; statusPurpose: string[] }[] {
  const purposes = purpose.split(' and ')
  if (purposes.length === 1 || ONE_STATUS.has(listType))
    return [{ statusListName: name, statusPurpose: purposes }]
  return purposes.map((each) => ({
    statusListName: SHARED_NAMES.has(listType) ? name : `${name}-${each}`,
    statusPurpose: [each],
  }))
}
