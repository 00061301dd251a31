import type { CheqdNode } from './cheqd-node/cheqd-node.js'

const LOOKING = ['status', 'tx_search']
/** Rounds in which nothing is asked, and their milliseconds, before it is taken for quiet. */
const QUIET_ROUNDS = 4
const ROUND_MS = 15

/**
 * Blocks that come as late as those of a real chain do, without the wait: everything that can be done between two of them is
 * done, and then the clock of the chain goes on by the time of a block.
 *
 * @param node - makes blocks by hand
 * @returns what `work` leads to, and how many blocks it took
 */
export async function withLateBlocks<T>(
  node: CheqdNode,
  blockMs: number,
  work: Promise<T>,
): Promise<{ result: T; blocks: number }> {
  let isDone = false
  const done = work.finally(() => (isDone = true))
  done.catch(() => undefined)
  const before = node.chain.height
  while (!isDone) {
    await quiet(node)
    node.advanceTime(blockMs)
    await node.produceBlock()
  }
  return { result: await done, blocks: node.chain.height - before }
}

/** Nothing more is asked of the node but what became of transactions. */
async function quiet(node: CheqdNode): Promise<void> {
  const asked = () => node.calls.filter(({ method }) => !LOOKING.includes(method)).length
  let seen = -1
  for (let rounds = 0; rounds < QUIET_ROUNDS; rounds++) {
    if (asked() !== seen) rounds = 0
    seen = asked()
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
  }
}
