import type { Reader } from '@vidimus/database'
import type { WorkKind } from './work-kind.js'
import { dueWork, type WorkItem, type WorkKey } from './work-rows.js'

/** Items in one search that are passed over, as their target has enough. */
const MOST_PASSED = 200

export const itemId = ({ home, key }: WorkKey): string => `${home} ${key}`

/** What a process may claim. */
interface Room {
  now: Date
  /** items in all, and of one owner together with those under way */
  room: number
  share: number
  under: readonly WorkItem[]
}

/** So many that are due, of no owner more than its share, and to no target more than it takes. */
export async function chooseDue(
  reader: Reader,
  { name, target }: WorkKind,
  { now, room, share, under }: Room,
): Promise<{ items: WorkItem[]; hasMore: boolean }> {
  const owners = new Shares(share, (item) => item.owner)
  const targets = target && new Shares(target.most, target.of)
  const known = new Set<string>()
  const note = (item: WorkItem) => {
    known.add(itemId(item))
    owners.add(item)
    targets?.add(item)
  }
  under.forEach(note)
  const items: WorkItem[] = []
  const passed = new Set<string>()
  for (;;) {
    const page = await dueWork(reader, name, { now, except: owners.full, passed: [...passed], most: room })
    const before = items.length + passed.size
    let isLeft = page.length === room
    for (const item of page.filter((one) => !known.has(itemId(one)))) {
      if (targets?.isFull(item)) passed.add(item.key)
      else if (items.length >= room || owners.isFull(item)) isLeft = true
      else {
        items.push(item)
        note(item)
      }
    }
    const isStuck = items.length + passed.size === before || passed.size >= MOST_PASSED
    if (page.length < room || items.length >= room || isStuck)
      return { items, hasMore: isLeft || passed.size > 0 }
  }
}

/** How many items those have that share something. */
class Shares {
  private readonly counts = new Map<string, number>()

  constructor(
    private readonly most: number,
    private readonly of: (item: WorkItem) => string,
  ) {}

  get full(): string[] {
    return [...this.counts].filter(([, n]) => n >= this.most).map(([one]) => one)
  }

  isFull(item: WorkItem): boolean {
    return (this.counts.get(this.of(item)) ?? 0) >= this.most
  }

  add(item: WorkItem): void {
    this.counts.set(this.of(item), (this.counts.get(this.of(item)) ?? 0) + 1)
  }
}
