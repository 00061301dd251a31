import type { MigrationInterface } from 'typeorm'
import { AddressLists1796600000191 } from './address-lists.js'
import { CompareListTextByBytes1795824000052 } from './compare-list-text-by-bytes.js'
import { CreateStatusListSecretCheck1795222800000 } from './create-secret-check.js'
import { CreateStatusListStore1795219200000 } from './create-status-list-store.js'
import { FindListSecretsByHeads1796500000451 } from './find-list-secrets-by-heads.js'
import { AddHomesToJobs1798200000822 } from './add-homes-to-jobs.js'
import { AddHomesToLists1797600000291 } from './add-homes-to-lists.js'
import { HurryLists1797300000690 } from './hurry-lists.js'
import { KeepJobs1797000000710 } from './keep-jobs.js'
import { KeepOrdersOfJobs1798300000860 } from './keep-orders-of-jobs.js'
import { KeepRegister1796800000580 } from './keep-register.js'
import { KeepSeries1797100000700 } from './keep-series.js'
import { LimitListPayments1796300000010 } from './limit-payments.js'
import { PagePayments1796400000222 } from './page-payments.js'
import { PaceLists1797200000610 } from './pace-lists.js'
import { RenewLists1796700000570 } from './renew-lists.js'
import { RestoreLists1797200000591 } from './restore-lists.js'
import { VacuumListsOften1796500000513 } from './vacuum-lists-often.js'

/** The migrations of this package, for the `migrations` of the database. */
export const migrations: (new () => MigrationInterface)[] = [
  CreateStatusListStore1795219200000,
  CreateStatusListSecretCheck1795222800000,
  CompareListTextByBytes1795824000052,
  LimitListPayments1796300000010,
  PagePayments1796400000222,
  FindListSecretsByHeads1796500000451,
  VacuumListsOften1796500000513,
  AddressLists1796600000191,
  RenewLists1796700000570,
  KeepRegister1796800000580,
  KeepJobs1797000000710,
  KeepSeries1797100000700,
  RestoreLists1797200000591,
  PaceLists1797200000610,
  HurryLists1797300000690,
  AddHomesToLists1797600000291,
  AddHomesToJobs1798200000822,
  KeepOrdersOfJobs1798300000860,
]
