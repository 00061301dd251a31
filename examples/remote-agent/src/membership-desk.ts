import type { IAgentContext, IAgentPlugin, IPluginMethodMap } from '@veramo/core-types'
import type { ServiceMethods } from './connect-agent.js'

type Context = IAgentContext<ServiceMethods>

/** Where a club keeps its members. */
export interface Desk {
  /** the DID of the club */
  did: string
  statusListName: string
}

/** What a club does with membership credentials. */
export interface IMembershipDesk extends IPluginMethodMap {
  /** Opens the desk under a name: the DID is found again the next time, the list is made once. */
  membershipOpen(args: { club: string }): Promise<Desk>
  /** @returns the credential as JWT */
  membershipIssue(args: { desk: Desk; memberDid: string; level: string }): Promise<{ jwt: string }>
  membershipEnd(args: { jwt: string }): Promise<{ index: number }>
  membershipCheck(args: { jwt: string }): Promise<{ member: boolean; why?: string }>
}

const STATUS = { listType: 'BitstringStatusList', statusPurpose: 'revocation' }

/**
 * A plugin of this agent's own. It runs here and holds no key: it calls the service through `context.agent`, as it would
 * call any other plugin.
 */
export class MembershipDesk implements IAgentPlugin {
  readonly methods = {
    membershipOpen: async ({ club }: { club: string }, { agent }: Context): Promise<Desk> => {
      const options = { network: 'testnet' }
      const { did } = await agent.didManagerGetOrCreate({ alias: club, provider: 'did:cheqd', options })
      const list = { did, statusListName: 'members' }
      const { linkedResourceMetadata = [] } = (await agent.resolveDid({ didUrl: did }))
        .didDocumentMetadata as { linkedResourceMetadata?: { resourceName: string }[] }
      if (!linkedResourceMetadata.some(({ resourceName }) => resourceName === list.statusListName)) {
        await agent.statusListCreate({ ...STATUS, ...list })
      }
      return list
    },

    membershipIssue: async (
      { desk, memberDid, level }: { desk: Desk; memberDid: string; level: string },
      { agent }: Context,
    ): Promise<{ jwt: string }> => {
      const { proof } = await agent.credentialIssue({
        issuerDid: desk.did,
        subjectDid: memberDid,
        type: ['MembershipCredential'],
        attributes: { level },
        credentialStatus: { statusListName: desk.statusListName },
      })
      return { jwt: String(proof.jwt) }
    },

    membershipEnd: async ({ jwt }: { jwt: string }, { agent }: Context): Promise<{ index: number }> => {
      const { index } = await agent.statusListUpdateCredential({ credential: jwt, statusAction: 'revoke' })
      return { index }
    },

    membershipCheck: async (
      { jwt }: { jwt: string },
      { agent }: Context,
    ): Promise<{ member: boolean; why?: string }> => {
      const { verified, problems = [] } = await agent.credentialVerify({ credential: jwt })
      const [first] = problems
      return { member: verified, ...(first && { why: first.message }) }
    },
  }
}
