// node build/main.js: a day at the desk of a club. VIDIMUS_URL and VIDIMUS_API_KEY select the service and the
// account.
import { connectAgent } from './connect-agent.js'
import { MembershipDesk, type IMembershipDesk } from './membership-desk.js'

const { VIDIMUS_URL: url = 'http://127.0.0.1:3332', VIDIMUS_API_KEY: apiKey = '' } = process.env

const tell = (step: string, outcome: object) =>
  process.stdout.write(`${JSON.stringify({ step, ...outcome })}\n`)

const agent = await connectAgent<IMembershipDesk>({ url, apiKey, plugins: [new MembershipDesk()] }).catch(
  ({ message }: Error) => {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  },
)

const desk = await agent.membershipOpen({ club: 'chess-club' })
tell('open', desk)

const { did: memberDid } = await agent.didManagerCreate({ provider: 'did:key' })
const { jwt } = await agent.membershipIssue({ desk, memberDid, level: 'gold' })
tell('issue', { memberDid, ...(await agent.membershipCheck({ jwt })) })

const [key] = (await agent.didManagerGet({ did: memberDid })).keys
const signature = await agent.keyManagerSign({
  keyRef: key?.kid ?? '',
  data: 'I was here',
  encoding: 'utf-8',
})
tell('sign', { signature })

const presented = await agent.presentationCreate({ credentials: [jwt], verifierDid: desk.did })
const presentation = String(presented.proof.jwt)
const { verified } = await agent.presentationVerify({ presentation, verifierDid: desk.did })
tell('present', { verified })

const { index } = await agent.membershipEnd({ jwt })
const entry = { ...desk, listType: 'BitstringStatusList', statusPurpose: 'revocation', index }
const { revoked } = await agent.statusListCheck(entry)
tell('end', { index, revoked, ...(await agent.membershipCheck({ jwt })) })

// A refusal of the service arrives as an error with the service's message.
try {
  await agent.membershipIssue({ desk: { ...desk, did: memberDid }, memberDid, level: 'gold' })
} catch (error) {
  tell('refused', { error: (error as Error).message })
}
