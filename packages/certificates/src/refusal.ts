/** A problem with certificates, worded to continue a sentence; the caller chooses the error to report it with. */
export class CertificateRefusal extends Error {
  override readonly name = 'CertificateRefusal'
}

/** Runs `work` and reports a refusal through `told`. */
export function refusedAs<T>(told: (message: string) => Error, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof CertificateRefusal) throw told(error.message)
    throw error
  }
}
