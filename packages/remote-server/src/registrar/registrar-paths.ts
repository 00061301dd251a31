/** Where clients of DID Registration write, also what is not offered here: whatever is refused there is a state. */
const REGISTRAR_PATH =
  /^\/1\.0\/(?:create|update|deactivate|execute|createResource|updateResource|deactivateResource)\/?$/

export const isRegistrarPath = (path: string): boolean => REGISTRAR_PATH.test(path)
