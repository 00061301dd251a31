import { listAddress, type ListName } from '../routes.js'

/** A range that is written by hand has at most so many; more come from a file. */
const MOST_ROWS = 1_000_000

/**
 * The file of a mass change for indices of one list.
 *
 * @param indices - numbers and ranges, separated by commas, semicolons or white space
 * @throws Error with a message for people
 */
export function rowsOfList(name: ListName, indices: string, action: string): string {
  const words = indices.split(/[\s,;]+/).filter((word) => word !== '')
  if (words.length === 0) throw new Error('Type the indices of the entries first.')
  const wrong = words.filter((word) => !/^\d{1,15}(?:-\d{1,15})?$/.test(word))
  if (wrong.length > 0) throw new Error(`Not an index, and not a range: ${wrong.slice(0, 5).join(', ')}`)
  // A DID URL has neither quotes nor line breaks, but it may have commas.
  const address = `"${listAddress(name)}"`
  const rows = ['list,index,action']
  for (const word of words) {
    const [first = 0, last = first] = word.split('-').map(Number)
    if (last < first) throw new Error(`The range ends before it begins: ${word}`)
    if (rows.length + last - first > MOST_ROWS) {
      throw new Error(`These are more than ${MOST_ROWS.toLocaleString('en')} indices; send a file instead.`)
    }
    for (let index = first; index <= last; index++) rows.push(`${address},${index},${action}`)
  }
  return `${rows.join('\n')}\n`
}
