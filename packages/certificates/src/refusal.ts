/** Why certificates are not what they must be, as a sentence goes on; whoever asked for them says in which terms it is told. */
export class CertificateRefusal extends Error {
  override readonly name = 'CertificateRefusal'
}

/** Runs `work`, and tells a refusal as `told` does. */
export function refusedAs<T>(told: (message: string) => Error, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof CertificateRefusal) throw told(error.message)
    throw error
  }
}
