import type { Operation } from '../operation.js'
import { accountAudit } from './account-audit.js'
import { accountUsage } from './account-usage.js'
import { apiKeyCreate } from './api-key-create.js'
import { apiKeyList } from './api-key-list.js'
import { apiKeyRevoke } from './api-key-revoke.js'
import { apiKeyRotate } from './api-key-rotate.js'
import { checkStatusList } from './check-status-list.js'
import { createEncryptedStatusList } from './create-encrypted-status-list.js'
import { createStatusList } from './create-status-list.js'
import { credentialEntries } from './credential-entries.js'
import { credentialIssue } from './credential-issue.js'
import { credentialReinstate, credentialRevoke, credentialSuspend } from './credential-update.js'
import { credentialVerify } from './credential-verify.js'
import { didCreate } from './did-create.js'
import { didDeactivate } from './did-deactivate.js'
import { didImport } from './did-import.js'
import { didList } from './did-list.js'
import { didDocument } from './did-document.js'
import { didRead } from './did-read.js'
import { didRotateKey } from './did-rotate-key.js'
import { didRotationRead } from './did-rotation-read.js'
import { didSearch } from './did-search.js'
import { didUpdate } from './did-update.js'
import { eventList } from './event-list.js'
import { keyCertificate } from './key-certificate.js'
import { keyCreate } from './key-create.js'
import { keyCsr } from './key-csr.js'
import { keyDelete } from './key-delete.js'
import { keyImport } from './key-import.js'
import { keyKms } from './key-kms.js'
import { keyList } from './key-list.js'
import { keyRead } from './key-read.js'
import { keyUpdate } from './key-update.js'
import { listStatusLists } from './list-status-lists.js'
import { operatorAccountCreate } from './operator-account-create.js'
import { operatorAccountDelete } from './operator-account-delete.js'
import { operatorAccountDisable, operatorAccountEnable } from './operator-account-state.js'
import { operatorAccountList } from './operator-account-list.js'
import { operatorSessionEnd, operatorSessionList } from './operator-sessions.js'
import { operatorHealth } from './operator-health.js'
import { presentationCreate } from './presentation-create.js'
import { presentationVerify } from './presentation-verify.js'
import { registrarCreate } from './registrar-create.js'
import { registrarDeactivate } from './registrar-deactivate.js'
import { registrarProperties } from './registrar-properties.js'
import { registrarUpdate } from './registrar-update.js'
import { resourceCreate } from './resource-create.js'
import { resourceSearch } from './resource-search.js'
import { searchStatusList } from './search-status-list.js'
import { signStatusList } from './sign-status-list.js'
import { statusJobActs } from './status-job-acts.js'
import { statusJobCreate } from './status-job-create.js'
import { statusJobList, statusJobRead } from './status-job-read.js'
import { statusJobReport } from './status-job-report.js'
import { statusListEntries } from './status-list-entries.js'
import { statusListPayments } from './status-list-payments.js'
import { statusListTypes } from './status-list-types.js'
import { statusListVersions } from './status-list-versions.js'
import { vcApiCreatePresentation } from './vc-api-create-presentation.js'
import { vcApiIssue } from './vc-api-issue.js'
import { vcApiStatus } from './vc-api-status.js'
import { vcApiVerifyCredential } from './vc-api-verify-credential.js'
import { vcApiVerifyPresentation } from './vc-api-verify-presentation.js'
import { updateEncryptedStatusList } from './update-encrypted-status-list.js'
import { updateStatusList } from './update-status-list.js'
import { verifyReceipt } from './verify-receipt.js'
import { webhookCreate } from './webhook-create.js'
import { webhookDeadLetters } from './webhook-dead-letters.js'
import { webhookList } from './webhook-list.js'
import { webhookResume } from './webhook-resume.js'
import { webhookReplay } from './webhook-replay.js'
import { webhookRevoke } from './webhook-revoke.js'
import { workOperations } from './work.js'

/** Every operation of the service; routing, decoding, validation and the API document are derived from this list. */
export const operations: readonly Operation[] = [
  didCreate,
  didImport,
  didUpdate,
  didRotateKey,
  didRotationRead,
  didDeactivate,
  didList,
  didRead,
  didSearch,
  didDocument,
  keyCreate,
  keyImport,
  keyKms,
  keyList,
  keyRead,
  keyCsr,
  keyCertificate,
  keyUpdate,
  keyDelete,
  resourceCreate,
  resourceSearch,
  createStatusList,
  updateStatusList,
  createEncryptedStatusList,
  updateEncryptedStatusList,
  signStatusList,
  checkStatusList,
  searchStatusList,
  statusListEntries,
  statusListTypes,
  listStatusLists,
  statusListVersions,
  statusListPayments,
  statusJobCreate,
  statusJobList,
  statusJobRead,
  statusJobReport,
  ...statusJobActs,
  verifyReceipt,
  credentialIssue,
  credentialVerify,
  credentialRevoke,
  credentialSuspend,
  credentialReinstate,
  credentialEntries,
  presentationCreate,
  presentationVerify,
  accountUsage,
  accountAudit,
  apiKeyList,
  apiKeyCreate,
  apiKeyRevoke,
  apiKeyRotate,
  eventList,
  webhookList,
  webhookCreate,
  webhookRevoke,
  webhookResume,
  webhookDeadLetters,
  webhookReplay,
  operatorAccountList,
  operatorAccountCreate,
  operatorAccountDisable,
  operatorAccountEnable,
  operatorAccountDelete,
  operatorSessionList,
  operatorSessionEnd,
  operatorHealth,
  ...workOperations,
  registrarCreate,
  registrarUpdate,
  registrarDeactivate,
  registrarProperties,
  vcApiIssue,
  vcApiVerifyCredential,
  vcApiStatus,
  vcApiCreatePresentation,
  vcApiVerifyPresentation,
]
