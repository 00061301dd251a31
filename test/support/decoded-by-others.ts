import { OutsideVerifier } from './outside-verifier.js'

interface List {
  length: number
  getStatus(index: number): boolean
}

interface Decoder {
  decodeList(options: { encodedList: string }): Promise<List>
}

/** The packages of others come without types. */
const load = (name: string): Promise<unknown> => import(name)

/** The indices that are set in a published BitstringStatusList of one bit, as verifiers elsewhere read it. */
export async function decodedByOthers(
  { url }: { url: string },
  did: string,
  name: string,
): Promise<number[]> {
  const claims = await new OutsideVerifier(url).accepts(did, name, 'BitstringStatusListCredential')
  const { encodedList } = claims.credentialSubject as { encodedList: string }
  const decoder = (await load('@digitalbazaar/vc-bitstring-status-list')) as Decoder
  const list = await decoder.decodeList({ encodedList })
  return Array.from({ length: list.length }, (_, index) => index).filter((index) => list.getStatus(index))
}
