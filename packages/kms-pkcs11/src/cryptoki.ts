import { AgentError } from '@vidimus/core-types'

/** Of slots, sessions and objects, as the library has it. */
export type Handle = Buffer

export interface Attribute {
  type: number
  value?: Buffer | string | number | boolean
}

export type Template = Attribute[]

export interface KeyPair {
  publicKey: Handle
  privateKey: Handle
}

interface Mechanism {
  mechanism: number
}

/**
 * The used part of a PKCS#11 library (PKCS #11 Specification Version 3.1, section 5), by the names of `pkcs11js`. Its
 * own types are not used: this package must build even if `pkcs11js` could not be compiled.
 */
export interface Cryptoki {
  C_Initialize(options: { flags: number }): void
  C_Finalize(): void
  C_GetSlotList(tokenPresent: boolean): Handle[]
  /** `label` and `model` are padded with spaces */
  C_GetTokenInfo(slot: Handle): { label: string; model: string; flags: number }
  C_GetMechanismList(slot: Handle): number[]
  C_OpenSession(slot: Handle, flags: number): Handle
  C_CloseSession(session: Handle): void
  C_Login(session: Handle, userType: number, pin: string): void
  C_GenerateKeyPairAsync(
    session: Handle,
    mechanism: Mechanism,
    publicHalf: Template,
    privateHalf: Template,
  ): Promise<KeyPair>
  C_DestroyObject(session: Handle, object: Handle): void
  C_FindObjectsInit(session: Handle, template: Template): void
  C_FindObjects(session: Handle, most: number): Handle[]
  C_FindObjectsFinal(session: Handle): void
  C_GetAttributeValue(session: Handle, object: Handle, template: Template): { value: Buffer }[]
  C_SetAttributeValue(session: Handle, object: Handle, template: Template): void
  C_SignInit(session: Handle, mechanism: Mechanism, key: Handle): void
  C_SignAsync(session: Handle, data: Buffer, signature: Buffer): Promise<Buffer>
}

/** Loads a PKCS#11 library, without initialising it. */
export type LoadCryptoki = (library: string) => Promise<Cryptoki>

/**
 * Loads a library through `pkcs11js`, whose native part is compiled at installation and thus optional.
 *
 * @throws AgentError `invalid_configuration` if `pkcs11js` is not installed, `unavailable` if the library cannot be
 *   loaded
 */
export const loadCryptoki: LoadCryptoki = async (library) => {
  const { PKCS11 } = await bindings()
  const cryptoki = new PKCS11()
  try {
    cryptoki.load(library)
  } catch (cause) {
    throw new AgentError('unavailable', `the PKCS#11 library ${library} cannot be loaded`, { cause })
  }
  return cryptoki
}

// No literal in import(): the compiler must not look for a package that may be missing.
const BINDINGS = ['pkcs11js'].join()

interface Bindings {
  PKCS11: new () => Cryptoki & { load(library: string): void }
}

async function bindings(): Promise<Bindings> {
  try {
    const { default: exported } = (await import(BINDINGS)) as { default: Bindings }
    return exported
  } catch (cause) {
    const advice = 'install a C++ compiler, make and Python, then run npm install again'
    throw new AgentError('invalid_configuration', `the package pkcs11js is not installed: ${advice}`, {
      cause,
    })
  }
}
