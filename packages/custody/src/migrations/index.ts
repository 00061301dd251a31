import {
  AddHomesToEvents1798200000830,
  CreateAccountEvents1795824000080,
  FindRevokedWebhooks1796500000515,
  HoldWebhooks1798300000840,
  NameKeysOfWebhooks1796300000020,
  PageEvents1796400000221,
  SuspendWebhooks1800200000910,
} from '@vidimus/account-events'
import {
  AddHomesToAuditTrail1797800000810,
  ChooseKms1796600000510,
  FindBegunDeletions1797600000740,
  CreateAuditTrail1795392000021,
  DeleteAccounts1796500000600,
  GuardAuditRows1797700000781,
  IdentifyAuditRows1798300000891,
  KnowTokens1796800000730,
  EndApiKeys1796300000030,
  EndKeysWithProviders1800100000871,
  LimitApiKeys1795392000020,
  ReadAuditByAccount1797700000790,
  SetQuotas1796500000310,
  TallyByHome1798200000821,
} from '@vidimus/accounts'
import {
  AddHomesToRecords1798200000850,
  CreateIdempotencyRecords1795824000030,
  KeepChangesOfRequests1798300000890,
  NamePresenceOfRequests1796500000710,
} from '@vidimus/idempotency'
import { AddHomesToHoldings1798200000840 } from './add-homes-to-holdings.js'
import { AdoptVeramoRows1767225600001 } from './adopt-veramo-rows.js'
import { CompareAccountTextByBytes1795824000050 } from './compare-account-text-by-bytes.js'
import { CreateAccounts1767225600000 } from './create-accounts.js'
import { FindSecretsByHeads1796500000450 } from './find-secrets-by-heads.js'
import { KeepCertificates1796700000620 } from './keep-certificates.js'
import { KeepDidsInOneSpelling1795910400020 } from './keep-dids-in-one-spelling.js'
import { KeepLedgerChanges1796500000100 } from './keep-ledger-changes.js'
import { KeepUndoneCreations1795824000060 } from './keep-undone-creations.js'
import { KeepWebDids1796500000800 } from './keep-web-dids.js'
import { NameKeysByThemselves1795910400010 } from './name-keys-by-themselves.js'
import { NoteActionsOfChanges1796600000500 } from './note-actions-of-changes.js'
import { PageHoldings1796400000220 } from './page-holdings.js'
import { KeepRotations1796700000571 } from './keep-rotations.js'
import { PageKeys1796500000510 } from './page-keys.js'
import { RememberNetworksOfKeys1796500000420 } from './remember-networks-of-keys.js'
import { VacuumAccountsOften1796500000511 } from './vacuum-accounts-often.js'
import { veramoMigrations } from './veramo-migrations.js'

export { entities } from './veramo-migrations.js'

/**
 * The tables of keys and DIDs: Veramo's own and those that record which account holds what; the audit trail; the
 * requests that clients may repeat; and the events of accounts, which are written with the rows above.
 */
export const migrations = [
  ...veramoMigrations,
  CreateAccounts1767225600000,
  AdoptVeramoRows1767225600001,
  LimitApiKeys1795392000020,
  CreateAuditTrail1795392000021,
  CreateIdempotencyRecords1795824000030,
  CompareAccountTextByBytes1795824000050,
  KeepUndoneCreations1795824000060,
  CreateAccountEvents1795824000080,
  NameKeysByThemselves1795910400010,
  KeepDidsInOneSpelling1795910400020,
  NameKeysOfWebhooks1796300000020,
  EndApiKeys1796300000030,
  PageHoldings1796400000220,
  PageEvents1796400000221,
  KeepLedgerChanges1796500000100,
  SetQuotas1796500000310,
  RememberNetworksOfKeys1796500000420,
  FindSecretsByHeads1796500000450,
  PageKeys1796500000510,
  VacuumAccountsOften1796500000511,
  FindRevokedWebhooks1796500000515,
  DeleteAccounts1796500000600,
  NamePresenceOfRequests1796500000710,
  KeepWebDids1796500000800,
  NoteActionsOfChanges1796600000500,
  ChooseKms1796600000510,
  KeepRotations1796700000571,
  KeepCertificates1796700000620,
  KnowTokens1796800000730,
  FindBegunDeletions1797600000740,
  GuardAuditRows1797700000781,
  ReadAuditByAccount1797700000790,
  AddHomesToAuditTrail1797800000810,
  TallyByHome1798200000821,
  EndKeysWithProviders1800100000871,
  AddHomesToEvents1798200000830,
  AddHomesToHoldings1798200000840,
  AddHomesToRecords1798200000850,
  HoldWebhooks1798300000840,
  KeepChangesOfRequests1798300000890,
  IdentifyAuditRows1798300000891,
  SuspendWebhooks1800200000910,
]
