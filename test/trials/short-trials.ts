import { PARTS } from './all-trials.js'
import { endSharedFleet, shareFleet } from './fleet.js'

/** Describes a part of the trials in their short form. */
export function shortTrials(part: keyof typeof PARTS): void {
  describe(`trials in their short form (${part})`, () => {
    before(shareFleet)
    after(endSharedFleet)
    for (const trial of PARTS[part]) {
      it(trial.name, async function () {
        if ((await trial.obstacle?.()) !== undefined) this.skip()
        await trial.run('short')
      })
    }
  })
}
