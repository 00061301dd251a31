import type { ConfigNode, MapNode, ValueNode } from './config-node.js'
import type { RequireReference } from './require-reference.js'

/** An object to build, with everything that can be known before it is built. */
export interface PlannedObject {
  readonly node: MapNode
  /** the text of the `$require` */
  readonly text: ValueNode
  readonly reference: RequireReference
  readonly args: readonly ConfigNode[]
  /** what the module exports; set once the module is loaded and the export fits its use */
  exported?: unknown
  /** its module or export cannot be used, which was reported */
  unusable?: true
}

/** What becomes of a node. */
export type Plan =
  /** `origin`: where a value stands that is not written in the file, for a sentence */
  | { kind: 'value'; value: string | number | boolean | null; origin?: string }
  | { kind: 'list'; items: readonly ConfigNode[] }
  | { kind: 'map'; entries: readonly (readonly [string, ConfigNode])[] }
  /** the same as another node: a `$ref`, or the default of a variable */
  | { kind: 'same'; as: ConfigNode }
  | { kind: 'object'; object: PlannedObject }
  /** has a mistake that was reported */
  | { kind: 'broken' }

export type Plans = Map<ConfigNode, Plan>
