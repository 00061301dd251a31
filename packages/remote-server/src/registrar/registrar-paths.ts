/** Paths of DID Registration clients, including unsupported ones: refusals there are states. */
const REGISTRAR_PATH =
  /^\/1\.0\/(?:create|update|deactivate|execute|createResource|updateResource|deactivateResource)\/?$/

export const isRegistrarPath = (path: string): boolean => REGISTRAR_PATH.test(path)
