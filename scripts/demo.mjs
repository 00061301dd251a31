// npm run demo: walks the whole story against a running service (npm start in another terminal).
//
// VIDIMUS_URL      where it answers, default http://127.0.0.1:3332
// VIDIMUS_API_KEY  an API key; left out, the demo makes one that expires in an hour
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { readyToRun, root } from './ready-to-run.mjs'

await readyToRun()
const url =
  process.env.VIDIMUS_URL ?? `http://${process.env.HOST ?? '127.0.0.1'}:${process.env.PORT ?? '3332'}`
const colours = process.stdout.isTTY && !process.env.NO_COLOR
const paint = (code, text) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
const say = (text) => console.log(text)

await requireService()
const apiKey = process.env.VIDIMUS_API_KEY ?? makeApiKey()
let steps = 0

const issuer = await step(
  'Create a DID on testnet. Its key is made and kept by the service.',
  'POST',
  '/did/create',
  { network: 'testnet', identifierFormatType: 'uuid' },
  ({ did, keys }) => [`DID ${did}`, `key ${keys[0].kid} (${keys[0].type})`],
)
const statusListName = `demo-${Date.now().toString(36)}`
const list = { did: issuer.did, statusListName }
await step(
  'Publish a status list: 131 072 entries, signed by the DID, kept as a DID-Linked Resource.',
  'POST',
  '/credential-status/create/unencrypted?listType=BitstringStatusList&statusPurpose=revocation',
  list,
  ({ resourceMetadata }) => [resourceMetadata.resourceURI, `SHA-256 ${resourceMetadata.checksum}`],
)
const holder = await step(
  'Create a DID for the holder, this time by its key alone.',
  'POST',
  '/did/create',
  { providerId: 'did:key' },
  ({ did }) => [did],
)
const credential = await step(
  'Issue a credential to the holder, with an entry of the list that nobody can foretell.',
  'POST',
  '/credential/issue',
  {
    issuerDid: issuer.did,
    subjectDid: holder.did,
    type: ['DegreeCredential'],
    attributes: { degree: 'Master of Trust' },
    credentialStatus: { statusListName },
  },
  ({ proof, credentialStatus }) => [
    `JWT of ${proof.jwt.length} characters`,
    `status: entry ${credentialStatus.statusListIndex} of the list, ${credentialStatus.statusPurpose}`,
  ],
)
const index = Number(credential.credentialStatus.statusListIndex)
await expectVerified('Verify it: signature, validity and status.', true)
await expectRevoked('Check the entry.', false)
await step(
  'Revoke it. The answer comes when the new version of the list is durable.',
  'POST',
  '/credential/revoke',
  { credential: credential.proof.jwt },
  ({ updated, changed, resourceMetadata }) => [
    `updated ${updated}, changed ${JSON.stringify(changed)}`,
    `version ${resourceMetadata.resourceId} after ${resourceMetadata.previousVersionId}`,
  ],
)
await expectRevoked('Check the entry again.', true)
await expectVerified('Verify the credential again: it must fail now.', false)
const presentation = await step(
  'Let the holder present it to a verifier.',
  'POST',
  '/presentation/create',
  { credentials: [credential.proof.jwt], holderDid: holder.did, verifierDid: issuer.did },
  ({ iss, aud }) => [`from ${iss}`, `for ${aud}`],
)
const verified = await step(
  "Verify the presentation: the holder's signature holds, but the credential in it is revoked.",
  'POST',
  '/presentation/verify',
  { presentation: presentation.proof.jwt, verifierDid: issuer.did },
  ({ verified, problems }) => [`verified: ${verified}`, ...(problems ?? []).map(({ message }) => message)],
)
expect(verified.verified === false, 'a presentation of a revoked credential must not verify')
say(`\n${paint(32, 'Everything went as told.')} All of these operations: ${url}/docs`)

async function expectRevoked(title, revoked) {
  const answer = await step(
    title,
    'POST',
    '/credential-status/check?listType=BitstringStatusList&statusPurpose=revocation',
    { ...list, index },
    ({ revoked }) => [`revoked: ${revoked}`],
  )
  expect(answer.revoked === revoked, `revoked must be ${revoked}`)
}

async function expectVerified(title, verified) {
  const answer = await step(
    title,
    'POST',
    '/credential/verify',
    { credential: credential.proof.jwt },
    ({ verified, problems }) => [`verified: ${verified}`, ...(problems ?? []).map(({ message }) => message)],
  )
  expect(answer.verified === verified, `verified must be ${verified}`)
}

async function step(title, method, path, body, outcome) {
  say(`\n${paint(1, `${++steps}. ${title}`)}`)
  say(paint(2, `   ${method} ${path}`))
  const response = await fetch(url + path, {
    method,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  expect(response.status === 200, `${response.status} ${answer.error}`)
  for (const line of outcome(answer)) say(`   ${paint(36, line)}`)
  return answer
}

async function requireService() {
  try {
    const response = await fetch(`${url}/health/live`)
    expect(response.ok, `${url} does not look like this service`)
  } catch {
    expect(false, `Nothing answers at ${url}. Run "npm start" in another terminal first, or set VIDIMUS_URL.`)
  }
}

function makeApiKey() {
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const printed = execFileSync(
    process.execPath,
    [
      join(root, 'packages/cli/bin/vidimus.js'),
      'key',
      'create',
      '--account',
      'default',
      '--name',
      'demo',
      '--expires',
      inAnHour,
      '--json',
    ],
    { cwd: root, encoding: 'utf8' },
  )
  return JSON.parse(printed).apiKey
}

function expect(condition, message) {
  if (condition) return
  console.error(paint(31, `\n${message}`))
  process.exit(1)
}
