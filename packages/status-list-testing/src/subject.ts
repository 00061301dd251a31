import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { StatusListEnvelope, StatusListLocation, StatusListType } from '@vidimus/core-types'
import { createdVariants, type ListVariant } from './list-variants.js'
import { demand } from './findings.js'
import { RandomSource } from './random-source.js'

/** An example whose entries are known from elsewhere; either `content` or `encodedList`. */
export interface StatusListVector {
  /** its origin */
  name: string
  /** a resource as it is published */
  content?: string | Uint8Array
  /** the bits alone, as callers give them for a new list */
  encodedList?: string
  /** of `encodedList`, if the type has several */
  encoding?: string
  /** bits per entry of `encodedList`; default 1 */
  statusSize?: number
  entries: readonly (readonly [index: number, value: number])[]
  /** every entry that is not named is 0; then the kit also writes the list and compares */
  othersAreZero?: boolean
}

export interface ConformanceOptions {
  vectors?: readonly StatusListVector[]
  /** of everything random; default: the same in every run */
  seed?: string
}

/** A test that every type must pass, or every type of a kind. */
export interface CheckOfType {
  title: string
  applies?: (subject: Subject) => boolean
  run: (subject: Subject) => Promise<void> | void
}

/** The time of every list that is made here, in the past. */
export const NOW = new Date('2026-01-02T03:04:05.678Z')

/** As much as a list of these tests may hold, in bytes. */
export const ROOMY = 16_777_216

/** The type under test, with lists that it made. */
export class Subject {
  private created: Promise<readonly ListVariant[]> | undefined
  private throwawayKey: KeyObject | undefined

  constructor(
    readonly type: StatusListType,
    readonly options: ConformanceOptions = {},
  ) {}

  /** Every combination of width and purposes that the type makes lists of. */
  variants(): Promise<readonly ListVariant[]> {
    this.created ??= createdVariants(this.type, NOW)
    return this.created
  }

  /** One for each width. */
  async variantsByWidth(): Promise<ListVariant[]> {
    const all = await this.variants()
    return all.filter(
      ({ layout }, n) => all.findIndex((other) => other.layout.statusSize === layout.statusSize) === n,
    )
  }

  async anyVariant(): Promise<ListVariant> {
    const [first] = await this.variants()
    demand(first, 'the type makes no list with any of its statusSizes and purposes')
    return first
  }

  random(purpose: string): RandomSource {
    return new RandomSource(`${this.options.seed ?? 'vidimus'} ${this.type.type} ${purpose}`)
  }

  /** A new list with given bits; absent: all 0. */
  create({ parameters, location }: ListVariant, bits?: Uint8Array): Promise<unknown> {
    return this.createWith({ location }, { ...parameters, ...(bits && { bits }) })
  }

  async createWith(
    { location }: Pick<ListVariant, 'location'>,
    parameters: ListVariant['parameters'],
  ): Promise<unknown> {
    return await this.type.create(parameters, location, NOW)
  }

  async unpack(doc: unknown, maxBytes = ROOMY): Promise<Uint8Array> {
    return await this.type.unpack(doc, maxBytes)
  }

  async pack(doc: unknown, bits: Uint8Array): Promise<unknown> {
    return await this.type.pack(doc, bits)
  }

  /** What the engine would publish, signed with a temporary key. */
  publish(doc: unknown, location: StatusListLocation, now = NOW): Uint8Array {
    const envelope = this.type.secure?.(doc, location, now)
    return this.type.serialise(doc, envelope && this.signed(envelope, location.did))
  }

  /** A list as a reader finds it. */
  async createPublished(variant: ListVariant, bits?: Uint8Array): Promise<unknown> {
    const doc = await this.create(variant, bits)
    return this.type.parse(this.publish(doc, variant.location))
  }

  signed({ typ, header, payload }: StatusListEnvelope, did: string): string {
    const protectedHeader = { ...header, typ, alg: 'EdDSA', kid: `${did}#throwaway` }
    const input = `${base64UrlJson(protectedHeader)}.${base64UrlJson(payload)}`
    this.throwawayKey ??= generateKeyPairSync('ed25519').privateKey
    return `${input}.${sign(null, Buffer.from(input), this.throwawayKey).toString('base64url')}`
  }
}

const base64UrlJson = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
