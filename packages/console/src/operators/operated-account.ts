import type { AnswerOf } from '@vidimus/client'

export type OperatedAccount = AnswerOf<'/operator/accounts', 'get'>['accounts'][number]

export function accountState({ disabledAt, deletionBeganAt }: OperatedAccount): string {
  if (deletionBeganAt !== undefined) return 'being deleted'
  return disabledAt === undefined ? 'in use' : 'disabled'
}
