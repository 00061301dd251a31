import { SealedHeadsMigration } from '@vidimus/database'

/** Adds an index for the check at startup of which secrets seal the keys and orders of lists. */
export class FindListSecretsByHeads1796500000451 extends SealedHeadsMigration {
  readonly name = 'FindListSecretsByHeads1796500000451'
  protected readonly columns = { status_list_order: 'sealed_key', status_list_key: 'sealed_key' }
}
