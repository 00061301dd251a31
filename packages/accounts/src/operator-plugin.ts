import type { IAgentContext, IAgentPlugin, IPluginMethodMap } from '@veramo/core-types'
import {
  AgentError,
  checkArguments,
  currentActor,
  currentCaller,
  pluginSchema,
  requireMethods,
  requireEffect,
  type AnyAgent,
  type AuditActor,
  type HasLifecycle,
  type Installation,
  type IOperator,
  type KnowsInstallation,
} from '@vidimus/core-types'
import { operatorMethods } from '@vidimus/core-types/schemas/operator'
import type { QuotaChanges } from './account-quota-rows.js'
import type { ListedAccount } from './account-states.js'
import type { Accounts } from './accounts.js'
import { BegunDeletions } from './begun-deletions.js'
import { invalidInput } from './checked-text.js'
import { lapsingLists } from './lapsing-lists.js'
import { HealthReports } from './service-health.js'

/** How long a request waits for the end of a deletion. */
const DELETION_MS = 10_000
/** DIDs and lists that a look at an account reads. */
const MOST_READ = 1000

type Context = IAgentContext<IPluginMethodMap>

type OperatorMethods = {
  [Method in keyof typeof operatorMethods]: (
    args: Parameters<IOperator[Method]>[0],
    context: Context,
  ) => ReturnType<IOperator[Method]>
}

/** Agent plugin: what operators do beyond their own account. Every method checks their right itself. */
export class OperatorPlugin implements IAgentPlugin, HasLifecycle, KnowsInstallation {
  readonly methods: OperatorMethods
  readonly schema = pluginSchema(operatorMethods)
  readonly lifecycle = { stop: () => this.deletions.stop() }

  private readonly deletions: BegunDeletions
  private readonly reports = new HealthReports()
  private known: Installation | undefined

  /** @throws AgentError `invalid_configuration` */
  constructor(private readonly accounts: Accounts) {
    requireMethods(accounts, ['createBy', 'deletion', 'get'], 'Accounts of @vidimus/accounts')
    this.deletions = new BegunDeletions(accounts, () => this.otherRows())
    const forOperators =
      <Args extends unknown[], T>(work: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        requireEffect('operate')
        return work(...args)
      }
    const { states } = accounts
    this.methods = {
      operatorAccountList: forOperators((args) =>
        states.page(checkArguments(operatorMethods.operatorAccountList.arguments, args ?? {})),
      ),
      operatorAccountCreate: forOperators(async (args) => {
        const { name, quotas, firstKey } = checkArguments(
          operatorMethods.operatorAccountCreate.arguments,
          args,
        )
        const asking = { actor: currentActor(), grant: currentCaller()?.grant }
        const request = { name, quotas: withoutAbsent(quotas), firstKey }
        const { account, ...key } = await accounts.createBy(asking, request)
        return { account: { id: account.id, name: account.name, createdAt: account.createdAt }, ...key }
      }),
      operatorAccountDisable: forOperators(async (args) => {
        const { name } = await this.another(args, 'disabled')
        return states.disable(name, operator())
      }),
      operatorAccountEnable: forOperators(async (args) => {
        const { name } = await this.existing(args)
        return states.enable(name, operator())
      }),
      operatorAccountContents: forOperators((args, context) => this.contents(args, context)),
      operatorAccountDelete: forOperators(async (args) => {
        const { name } = await this.another(args, 'deleted')
        this.installation()
        return this.deletions.delete(name, DELETION_MS, operator())
      }),
      operatorDeletionsContinue: forOperators(() => {
        this.deletions.continue()
        return Promise.resolve({})
      }),
      operatorSessionList: forOperators(async (args) => {
        const { account, ...page } = checkArguments(operatorMethods.operatorSessionList.arguments, args ?? {})
        const { sessions } = this.installation()
        return sessions
          ? sessions.list({ ...page, ...(account !== undefined && { account }) })
          : { sessions: [] }
      }),
      operatorSessionEnd: forOperators(async (args) => {
        const { id } = checkArguments(operatorMethods.operatorSessionEnd.arguments, args)
        const ended = await this.installation().sessions?.end({ id }, operator())
        if (ended) return { id, ended: true as const }
        throw notFound('session_not_found', 'id', 'there is no such session')
      }),
      operatorHealth: forOperators(() => this.reports.report(this.installation())),
    }
  }

  useInstallation(installation: Installation): void {
    this.known = installation
  }

  /** @throws AgentError `unavailable` in a program that does not say what belongs to the service */
  private installation(): Installation {
    if (this.known) return this.known
    throw new AgentError('unavailable', 'only "vidimus start" knows the whole of the service')
  }

  private otherRows() {
    return this.installation().accountRows.filter((rows) => !this.accounts.accountRows.includes(rows))
  }

  private async existing(args: { name: string }): Promise<ListedAccount> {
    const { name } = checkArguments(operatorMethods.operatorAccountEnable.arguments, args)
    const account = await this.accounts.states.find(name)
    if (account) return account
    throw notFound('account_not_found', 'name', 'there is no such account')
  }

  /** An operator who locks himself out could not undo it. */
  private async another(args: { name: string }, what: string): Promise<ListedAccount> {
    const account = await this.existing(args)
    if (currentCaller()?.account.id !== account.id) return account
    throw invalidInput('name', `is the account of this caller, which can only be ${what} on the command line`)
  }

  private async contents(args: { name: string }, context: Context) {
    const account = await this.existing(args)
    const { name } = account
    const deletion = this.accounts.deletion(this.otherRows())
    const agent = context.agent as unknown as AnyAgent
    const { lists, areAll } = agent.availableMethods().includes('statusListTypes')
      ? await lapsingLists(agent, deletion.didsHeldAlone(name), MOST_READ)
      : { lists: [], areAll: true }
    return {
      account,
      contents: await deletion.contents(name),
      lists,
      ...(!areAll && { listsAreAll: false as const }),
    }
  }
}

const notFound = (code: 'account_not_found' | 'session_not_found', path: string, message: string) =>
  new AgentError(code, `${path}: ${message}`, { details: [{ path, message }] })

/** Whose trail tells who did it; nobody's on the command line. */
function operator(): AuditActor | undefined {
  const actor = currentActor()
  return actor.accountId === undefined ? undefined : actor
}

const withoutAbsent = (quotas: Record<string, number | null | undefined> = {}): QuotaChanges =>
  Object.fromEntries(Object.entries(quotas).filter(([, most]) => most !== undefined))
