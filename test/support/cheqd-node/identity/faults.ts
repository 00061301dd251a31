/** What is wrong with a value: a sentence, or what is wrong with its members, by their names. */
export type Fault = string | Faults
export interface Faults {
  [name: string]: Fault
}

/** The members that have faults; `undefined` where none has. */
export function ofMembers(members: Record<string, Fault | undefined>): Faults | undefined {
  const found = Object.entries(members).filter((member): member is [string, Fault] => member[1] !== undefined)
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

/** A list that is wrong as a whole, or else its elements. */
export const ofList = <T>(
  values: readonly T[],
  whole: string | undefined,
  fault: (value: T) => Fault | undefined,
): Fault | undefined => whole ?? ofMembers(Object.fromEntries(values.map((value, n) => [n, fault(value)])))

export const repeated = (values: readonly string[], sentence: string): string | undefined =>
  new Set(values).size === values.length ? undefined : sentence

export const blank = (value: { readonly length: number }): string | undefined =>
  value.length === 0 ? 'cannot be blank' : undefined

/** An empty value is never too short. */
export const lengthFault = (value: string | Uint8Array, most: number): string | undefined =>
  Buffer.byteLength(value) > most ? `the length must be between 1 and ${most}` : undefined

/** As a node tells it: names in the order of their letters, members of members in brackets. */
export function told(faults: Faults): string {
  const names = Object.keys(faults).sort((one, other) => (one < other ? -1 : 1))
  return `${names.map((name) => `${name}: ${toldOne(faults[name] ?? '')}`).join('; ')}.`
}

const toldOne = (fault: Fault) => (typeof fault === 'string' ? fault : `(${told(fault)})`)
