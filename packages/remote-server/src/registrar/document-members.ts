import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type Problem } from '@vidimus/core-types'
import { VERIFICATION_RELATIONSHIPS } from '@vidimus/verification-methods'
import { asArray } from '../input/as-array.js'

export type Members = Readonly<Record<string, unknown>>

/** List members of a DID document, which may also hold a single entry (DID Core 4 and 5). */
const LISTS = new Set<string>([
  '@context',
  'controller',
  'alsoKnownAs',
  'verificationMethod',
  ...VERIFICATION_RELATIONSHIPS,
  'service',
])

/** A DID document under modification; impossible changes are collected as problems. */
export class DocumentMembers {
  readonly problems: Problem[] = []
  private members: Map<string, unknown>

  constructor(
    private readonly did: string,
    document: Members,
  ) {
    this.members = new Map(Object.entries(document))
  }

  get document(): Record<string, unknown> {
    return Object.fromEntries(this.members)
  }

  set(document: Members): void {
    this.members = new Map(Object.entries(document))
  }

  /** Replaces only these members. */
  setMembers(members: Members): void {
    for (const [name, value] of Object.entries(members)) this.members.set(name, value)
  }

  /** Adds list entries and new members; existing ones stay unchanged. */
  add(addition: Members, path: string): void {
    for (const [name, value] of this.changes(addition, path)) {
      if (isList(name, value, this.members.get(name))) {
        for (const [place, entry] of placedEntries(value, `${path}.${name}`))
          this.addEntry(name, entry, place)
      } else if (!this.members.has(name)) this.members.set(name, value)
      else if (!isDeepStrictEqual(this.members.get(name), value)) {
        this.report(`${path}.${name}`, 'is in the document with another value; remove it first')
      }
    }
  }

  /** Removes list entries, matched by id if they have one, and other members with an equal value. */
  remove(removal: Members, path: string): void {
    for (const [name, value] of this.changes(removal, path)) {
      if (isList(name, value, this.members.get(name))) {
        for (const [place, entry] of placedEntries(value, `${path}.${name}`))
          this.removeEntry(name, entry, place)
      } else if (this.members.has(name) && isDeepStrictEqual(this.members.get(name), value)) {
        this.members.delete(name)
      } else this.report(`${path}.${name}`, 'is not in the document with this value')
    }
  }

  private changes(change: Members, path: string): [string, unknown][] {
    const { id, ...members } = change
    if (id !== undefined && id !== this.did) this.report(`${path}.id`, `must be ${this.did}`)
    return Object.entries(members)
  }

  private addEntry(name: string, entry: unknown, path: string): void {
    const list = asArray(this.members.get(name))
    const id = this.idOf(entry)
    const there = list.find((other) =>
      id === undefined ? isDeepStrictEqual(other, entry) : this.idOf(other) === id,
    )
    if (there === undefined) this.members.set(name, [...list, entry])
    else if (isJsonObject(entry) && !this.isSame(there, entry)) {
      this.report(path, 'has the id of another part of the document; remove that first')
    }
  }

  private removeEntry(name: string, entry: unknown, path: string): void {
    const list = asArray(this.members.get(name))
    const id = this.idOf(entry)
    const isMeant = (other: unknown) =>
      id === undefined ? isDeepStrictEqual(other, entry) : this.idOf(other) === id
    const left = list.filter((other) => !isMeant(other))
    if (left.length === list.length) {
      this.report(path, 'is not in the document')
      return
    }
    // An empty list rather than nothing: providers may keep an absent member.
    this.members.set(name, left)
    if (name === 'verificationMethod' && id !== undefined) this.dropReferences(id)
  }

  /** Removes references to a deleted verification method. */
  private dropReferences(id: string): void {
    for (const name of VERIFICATION_RELATIONSHIPS) {
      if (!this.members.has(name)) continue
      const refersToIt = (entry: unknown) => typeof entry === 'string' && this.idOf(entry) === id
      this.members.set(
        name,
        asArray(this.members.get(name)).filter((entry) => !refersToIt(entry)),
      )
    }
  }

  /**
   * The identity of an entry: a text itself, or the id of an object; relative ones refer to the document (DID Core
   * 3.2.2).
   */
  private idOf(entry: unknown): string | undefined {
    const id = isJsonObject(entry) ? entry.id : entry
    if (typeof id !== 'string') return undefined
    return id.startsWith('#') ? this.did + id : id
  }

  private isSame(one: unknown, other: Members): boolean {
    if (!isJsonObject(one)) return false
    return isDeepStrictEqual({ ...one, id: this.idOf(one) }, { ...other, id: this.idOf(other) })
  }

  private report(path: string, message: string): void {
    this.problems.push({ path, message })
  }
}

const isList = (name: string, ...values: unknown[]): boolean => LISTS.has(name) || values.some(Array.isArray)

const placedEntries = (value: unknown, path: string): [place: string, entry: unknown][] =>
  Array.isArray(value) ? value.map((entry, n) => [`${path}[${n}]`, entry]) : [[path, value]]
