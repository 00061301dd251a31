import type { IAgent, IDIDManager, IKeyManager, IResolver, TAgent } from '@veramo/core-types'
import type {
  IAccountAudit,
  IAccountEvents,
  IAccountUsage,
  IApiKeys,
  IDIDProviders,
  IDIDRotation,
  IDidUrlDereferencing,
  IHoldings,
  IKeyCertificates,
  IKeyFinding,
  IKeyManagement,
  ILinkedResource,
  IOperator,
  ICredentials,
  IPresentation,
  IStatusList,
  ICredentialRegister,
  IStatusListCredentials,
  IStatusListDelivery,
  IStatusListJobs,
  IStatusListPayments,
  IStatusListSeries,
  IWebDids,
  IWork,
} from '@vidimus/core-types'

/** The methods of the agent that operations call. */
export type ServiceMethods = IDIDManager &
  IKeyManager &
  IKeyCertificates &
  IKeyFinding &
  IKeyManagement &
  IResolver &
  IStatusList &
  IStatusListPayments &
  IStatusListSeries &
  ICredentialRegister &
  IStatusListCredentials &
  IStatusListDelivery &
  IStatusListJobs &
  ICredentials &
  IPresentation &
  IDidUrlDereferencing &
  ILinkedResource &
  IAccountAudit &
  IAccountUsage &
  IApiKeys &
  IOperator &
  IDIDProviders &
  IDIDRotation &
  IHoldings &
  IWebDids &
  IWork &
  IAccountEvents

/** The agent for operations; each lists the methods that it requires in `needs`. */
export type ServiceAgent = TAgent<ServiceMethods>

export type ServiceMethod = Exclude<keyof ServiceMethods & string, keyof IAgent>
