import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Document,
  type Pair,
  type ParsedNode,
  type YAMLMap,
} from 'yaml'
import type { ConfigNode, MapEntry, MapNode } from './config-node.js'
import { childPointer, pointerAsPath } from './json-pointer.js'
import type { Finding } from './source-text.js'

type Report = (finding: Finding) => void
type YamlNode = Document.Parsed['contents']

/**
 * Turns parsed YAML into nodes that know their place. An alias becomes the very node of its anchor, so that a file
 * can neither blow up in size nor build one anchored object twice.
 */
export function toNodes(document: Document.Parsed, report: Report): ConfigNode {
  return new NodeReader(document, report).read(document.contents, '', 0)
}

class NodeReader {
  readonly #read = new Map<YamlNode, ConfigNode>()

  constructor(
    readonly document: Document.Parsed,
    readonly report: Report,
  ) {}

  /** @param at - where a missing value would be */
  read(yaml: YamlNode, pointer: string, at: number): ConfigNode {
    if (yaml === null) return { kind: 'value', value: null, pointer, start: at, end: at }
    const known = this.#read.get(yaml)
    if (known) return known
    const [start, end] = yaml.range
    if (isAlias(yaml)) {
      const target = yaml.resolve(this.document)
      if (target) return this.read(target as ParsedNode, pointer, start)
      this.#problem(start, pointer, `there is no anchor "&${yaml.source}" before this alias`)
      return { kind: 'value', value: null, pointer, start, end }
    }
    if (isMap(yaml)) return this.#map(yaml, { pointer, start, end })
    if (isSeq(yaml)) {
      const items: ConfigNode[] = []
      const list: ConfigNode = { kind: 'list', items, pointer, start, end }
      // Known before its items are, as an alias below may lead back here.
      this.#read.set(yaml, list)
      yaml.items.forEach((item, n) => items.push(this.read(item, childPointer(pointer, n), start)))
      return list
    }
    const node: ConfigNode = { kind: 'value', value: this.#scalar(yaml, pointer), pointer, start, end }
    this.#read.set(yaml, node)
    return node
  }

  #map(
    yaml: YAMLMap<ParsedNode, ParsedNode | null>,
    place: Pick<MapNode, 'pointer' | 'start' | 'end'>,
  ): MapNode {
    const entries = new Map<string, MapEntry>()
    const map: MapNode = { kind: 'map', entries, ...place }
    this.#read.set(yaml as ParsedNode, map)
    for (const pair of yaml.items) {
      const key = this.#key(pair, place.pointer)
      if (key === undefined) continue
      const [keyStart, keyEnd] = pair.key.range
      entries.set(key, { keyStart, node: this.read(pair.value, childPointer(place.pointer, key), keyEnd) })
    }
    return map
  }

  #key({ key }: Pair<ParsedNode, ParsedNode | null>, pointer: string): string | undefined {
    if (!isScalar(key)) {
      this.#problem(key.range[0], pointer, 'a key must be text')
      return undefined
    }
    const name = String(key.value)
    if (name === '<<' && key.type === 'PLAIN') {
      this.#problem(key.range[0], pointer, 'merge keys ("<<") are not supported', 'use $ref instead')
      return undefined
    }
    return name
  }

  #scalar(yaml: ParsedNode, pointer: string): string | number | boolean | null {
    const value: unknown = isScalar(yaml) ? yaml.value : null
    if (typeof value === 'number') {
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        this.#problem(
          yaml.range[0],
          pointer,
          'this number has more digits than can be represented',
          'put it in quotes to make it a string',
        )
      }
      return value
    }
    return typeof value === 'string' || typeof value === 'boolean' ? value : null
  }

  #problem(at: number, pointer: string, message: string, advice?: string): void {
    this.report({ at, path: pointerAsPath(pointer), message, advice })
  }
}
