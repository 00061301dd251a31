/** Types of the untyped packages, limited to what is used here. */
declare module '@digitalbazaar/data-integrity' {
  export interface VerifyDataRequest {
    document: Record<string, unknown>
    proof: Record<string, unknown>
    documentLoader: (url: string) => Promise<{ contextUrl: null; documentUrl: string; document: unknown }>
  }
  export class DataIntegrityProof {
    constructor(options: { cryptosuite: unknown; signer?: unknown; legacyContext: boolean })
    createVerifyData(request: VerifyDataRequest): Promise<Uint8Array>
    canonize(part: object, options: object): Promise<string>
    canonizeProof(proof: object, options: object): Promise<string>
  }
}

declare module '@digitalbazaar/eddsa-rdfc-2022-cryptosuite' {
  export const cryptosuite: { canonize(document: object, options: object): Promise<string> }
}

declare module '@digitalbazaar/credentials-context' {
  export const contexts: Map<string, unknown>
}

declare module '@digitalbazaar/vc-bitstring-status-list-context' {
  export const contexts: Map<string, unknown>
}

declare module '@digitalbazaar/data-integrity-context' {
  const module: { contexts: Map<string, unknown> }
  // eslint-disable-next-line import-x/no-default-export -- CommonJS
  export default module
}

declare module '@digitalbazaar/vc-status-list-context' {
  const module: { contexts: Map<string, unknown> }
  // eslint-disable-next-line import-x/no-default-export -- CommonJS
  export default module
}
