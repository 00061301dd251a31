/** A way to do something, and the scopes of which each lets an API key do it. */
export interface Door {
  method: string
  path: string
  json?: object
  scopes: readonly string[]
}

/** Methods that are several operations of the REST API, by their arguments. */
export const SEVERAL: Readonly<Record<string, readonly object[]>> = {
  statusListCreate: [{}, { encrypted: true }],
  statusListUpdate: [{}, { encrypted: true }],
  statusListUpdateCredential: ['revoke', 'suspend', 'reinstate'].flatMap((action) => [
    { statusAction: action },
    { action },
  ]),
}
