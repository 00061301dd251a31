import { TextByBytesMigration } from '@vidimus/database'

/** Orders and compares text by its bytes on every kind of database. */
export class CompareListTextByBytes1795824000052 extends TextByBytesMigration {
  readonly name = 'CompareListTextByBytes1795824000052'
  protected readonly tables = [
    'status_list',
    'status_list_order',
    'status_list_key',
    'status_list_payment',
    'status_list_secret_check',
  ]
}
