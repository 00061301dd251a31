// A cheqd ledger whose process, if FREEZE_PAYMENTS is `once`, freezes by itself (SIGSTOP) at its first payment: after the payment
// was begun, and before it is handed over.
import { CheqdLedger } from '@vidimus/ledger-cheqd'

let left = process.env.FREEZE_PAYMENTS === 'once' ? 1 : 0

export class FreezingCheqdLedger extends CheqdLedger {
  constructor(options) {
    super(options)
    const { bank } = this
    const pay = bank.pay.bind(bank)
    bank.pay = (payment) => {
      if (left-- > 0) process.kill(process.pid, 'SIGSTOP')
      return pay(payment)
    }
  }
}
