interface Bitstring {
  bits: Uint8Array
  get(index: number): boolean
  set(index: number, on: boolean): void
  encodeBits(): Promise<string>
}
interface BitstringClass {
  new (options: { length: number } | { buffer: Uint8Array }): Bitstring
  decodeBits(options: { encoded: string }): Promise<Uint8Array>
}
interface ListModule {
  createList(options: { length: number }): Promise<List>
  decodeList(options: { encodedList: string }): Promise<List>
}
interface List {
  getStatus(index: number): boolean
  setStatus(index: number, on: boolean): void
  encode(): Promise<string>
  length: number
}

// these packages come without types
const load = async (name: string): Promise<unknown> => import(name)

/** Independent implementations, for lists with one bit per entry. */
export const oracles = async () => ({
  Bitstring: ((await load('@digitalbazaar/bitstring')) as { Bitstring: BitstringClass }).Bitstring,
  bitstringStatusList: (await load('@digitalbazaar/vc-bitstring-status-list')) as ListModule,
  statusList2021: (await load('@digitalbazaar/vc-status-list')) as ListModule,
})
