import { compareTextByBytes } from '@vidimus/database'
import type { MigrationInterface, QueryRunner } from 'typeorm'

/**
 * The networks on which a key has ever controlled a DID of the account, by its public half: the document there may
 * still have it, whatever became of the DID and the key here. What was removed before is not known any more.
 */
export class RememberNetworksOfKeys1796500000420 implements MigrationInterface {
  readonly name = 'RememberNetworksOfKeys1796500000420'

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE account_key_network (
      account_id TEXT NOT NULL REFERENCES account (id),
      public_key TEXT NOT NULL,
      network TEXT NOT NULL,
      PRIMARY KEY (account_id, public_key, network)
    )`)
    await compareTextByBytes(queryRunner, ['account_key_network'])
    for (const network of ['mainnet', 'testnet']) {
      await queryRunner.query(`INSERT INTO account_key_network (account_id, public_key, network)
        SELECT DISTINCT l.account_id, LOWER(k."publicKeyHex"), '${network}' FROM account_did_key l
          JOIN account_key a ON a.account_id = l.account_id AND a.kid = l.kid
          JOIN "key" k ON k.kid = a.stored_kid WHERE l.did LIKE 'did:cheqd:${network}:%'`)
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE account_key_network')
  }
}
