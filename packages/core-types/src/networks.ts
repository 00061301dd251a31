/** The networks of the contract; each is the namespace of a did:cheqd ledger. */
export const NETWORKS = ['testnet', 'mainnet'] as const
export type Network = (typeof NETWORKS)[number]
