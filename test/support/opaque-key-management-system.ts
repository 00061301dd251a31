import { sign, type KeyObject } from 'node:crypto'
import type { IKey, ManagedKeyInfo, TKeyType } from '@veramo/core-types'
import { AbstractKeyManagementSystem } from '@veramo/key-manager'
import { AgentError } from '@vidimus/core-types'
import { outsideKey } from './outside-key.js'

interface OpaqueKey {
  info: ManagedKeyInfo
  privateKey: KeyObject
}

/**
 * A KMS as a hardware module is one: keys are made inside, sign inside and never come out. Those that it made are gone
 * with the process, which is all that tells it from a real one.
 */
export class OpaqueKeyManagementSystem extends AbstractKeyManagementSystem {
  readonly #keys = new Map<string, OpaqueKey>()

  createKey({ type }: { type: TKeyType }): Promise<ManagedKeyInfo> {
    if (type !== 'Ed25519') return Promise.reject(refused('type', 'this module makes keys of type Ed25519'))
    const { publicKeyHex, privateKey } = outsideKey()
    const info = {
      kid: publicKeyHex,
      type,
      publicKeyHex,
      meta: { algorithms: ['EdDSA', 'Ed25519'] },
    } as ManagedKeyInfo
    this.#keys.set(info.kid, { info, privateKey })
    return Promise.resolve(info)
  }

  importKey(): Promise<ManagedKeyInfo> {
    return Promise.reject(refused('privateKeyHex', 'this module takes no private keys from outside'))
  }

  listKeys(): Promise<ManagedKeyInfo[]> {
    return Promise.resolve([...this.#keys.values()].map(({ info }) => info))
  }

  deleteKey({ kid }: { kid: string }): Promise<boolean> {
    return Promise.resolve(this.#keys.delete(kid))
  }

  sign({ keyRef, data }: { keyRef: Pick<IKey, 'kid'>; data: Uint8Array }): Promise<string> {
    const key = this.#keys.get(keyRef.kid)
    if (!key) return Promise.reject(new AgentError('key_not_found', `the module has no key "${keyRef.kid}"`))
    return Promise.resolve(sign(null, data, key.privateKey).toString('base64url'))
  }

  sharedSecret(): Promise<string> {
    return Promise.reject(new AgentError('invalid_input', 'this module agrees on no keys'))
  }
}

const refused = (path: string, message: string) =>
  new AgentError('invalid_input', `${path}: ${message}`, { details: [{ path, message }] })
