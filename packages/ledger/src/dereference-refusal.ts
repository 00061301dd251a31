import type { DidUrlError } from '@vidimus/core-types'

/** Why a DID URL leads nowhere; its message may be shown. Never leaves this package. */
export class DereferenceRefusal extends Error {
  override readonly name = 'DereferenceRefusal'

  constructor(
    readonly error: DidUrlError,
    message: string,
  ) {
    super(message)
  }
}

export const malformed = (message: string): DereferenceRefusal =>
  new DereferenceRefusal('invalidDidUrl', message)

export const notFound = (message: string): DereferenceRefusal => new DereferenceRefusal('notFound', message)
