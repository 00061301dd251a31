import { VacuumOftenMigration } from '@vidimus/database'

export class VacuumListsOften1796500000513 extends VacuumOftenMigration {
  readonly name = 'VacuumListsOften1796500000513'

  protected readonly tables = [
    'status_list',
    'status_list_fee_day',
    'status_list_key',
    'status_list_order',
    'status_list_payment',
    'status_list_taken_index',
  ]
}
