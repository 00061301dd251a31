// node verify.mjs <credential>: is a credential genuine, and is it revoked? A verifier elsewhere: it knows the address of a
// resolver, libraries of others, and nothing of Vidimus.
//
// RESOLVER   what it asks for DIDs and lists, default http://127.0.0.1:3332/1.0/identifiers/
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'

const { RESOLVER = 'http://127.0.0.1:3332/1.0/identifiers/' } = process.env
const ALGORITHMS = ['EdDSA', 'ES256', 'ES256K']

const outcome = await verify(process.argv[2] ?? '').catch(({ message }) => ({
  accepted: false,
  why: message,
}))
console.log(JSON.stringify(outcome, null, 2))
process.exitCode = outcome.accepted ? 0 : 1

async function verify(jwt) {
  // Also holds the times in it, `nbf` and `exp`, against the clock.
  const { iss: issuer, vc } = await signedClaims(jwt)
  if (!vc.credentialStatus) return { accepted: true, issuer, revoked: false }
  const revoked = await isRevoked(issuer, vc.credentialStatus)
  return { accepted: !revoked, issuer, subject: vc.credentialSubject, revoked }
}

/** The claims of a JWT, once a key of its issuer that is meant for assertions has verified it. */
async function signedClaims(jwt) {
  const { kid } = decodeProtectedHeader(jwt)
  const [did] = kid.split('#')
  const { didDocument } = await ask(`${did}?transformKeys=JsonWebKey2020`)
  const keys = didDocument.verificationMethod
    .filter(({ id }) => didDocument.assertionMethod.includes(id))
    .map(({ id, publicKeyJwk }) => ({ ...publicKeyJwk, kid: id }))
  const { payload } = await jwtVerify(jwt, createLocalJWKSet({ keys }), { algorithms: ALGORITHMS })
  // A list is signed as a credential of the data model 2.0, which names its issuer in itself.
  if ((payload.iss ?? payload.issuer) !== did) throw new Error(`${did} signed what it has not issued`)
  return payload
}

async function isRevoked(issuer, credentialStatus) {
  const { verified, results, error } = await checkStatus({
    credential: {
      '@context': ['https://www.w3.org/ns/credentials/v2'],
      type: ['VerifiableCredential'],
      issuer,
      credentialStatus,
    },
    documentLoader: async (url) => ({ document: await signedList(url) }),
    // Lists are signed as JWT, which `signedList` verifies; the library verifies Data Integrity proofs.
    verifyBitstringStatusListCredential: false,
  })
  // A list that cannot be read is no reason to accept.
  if (error) throw error
  return !verified || results.some(({ status }) => status)
}

async function signedList(url) {
  const list = await signedClaims(await ask(url, 'application/vc+jwt'))
  if (list.id !== url) throw new Error(`${list.id} is not the list that was asked for, ${url}`)
  return list
}

async function ask(didUrl, accept = 'application/did-resolution') {
  const [did, query] = didUrl.split('?')
  const response = await fetch(`${RESOLVER}${did}?${query}`, { headers: { accept } }).catch(({ cause }) => {
    const reason = cause?.code ?? 'no connection'
    throw new Error(`the resolver ${RESOLVER} cannot be reached (${reason}); RESOLVER names another one`)
  })
  if (!response.ok) throw new Error(`${didUrl} cannot be resolved: ${response.status}`)
  return accept === 'application/vc+jwt' ? response.text() : response.json()
}
