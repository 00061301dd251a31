export interface Attribute {
  key: string
  value: string
  index: boolean
}

/** An ABCI event as results of transactions carry it. */
export interface ChainEvent {
  type: string
  attributes: readonly Attribute[]
}

export const chainEvent = (type: string, attributes: Readonly<Record<string, string>>): ChainEvent => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
})

/** The events of a transfer of coins, as `x/bank` emits them. */
export function transferEvents(
  transfer: { sender: string; recipient: string; amount: string },
  msgIndex?: number,
): ChainEvent[] {
  const { sender, recipient, amount } = transfer
  const place: Record<string, string> = msgIndex === undefined ? {} : { msg_index: String(msgIndex) }
  return [
    chainEvent('coin_spent', { spender: sender, amount, ...place }),
    chainEvent('coin_received', { receiver: recipient, amount, ...place }),
    chainEvent('transfer', { recipient, sender, amount, ...place }),
    chainEvent('message', { sender, ...place }),
  ]
}
