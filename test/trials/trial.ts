/** What a trial measured, for people. */
export type Figures = Record<string, number | string>

/** `full` is for `npm run trials`, `short` for the test command. */
export type Form = 'full' | 'short'

/** What whoever runs a trial may ask for; trials that know nothing of it go on as ever. */
export interface Wishes {
  /** how long it lasts */
  minutes?: number
  database?: 'sqlite' | 'postgresql'
  /** ledgers are those of a network */
  onNetwork?: boolean
  /** the file that samples are written to, as CSV */
  samples?: string
  /** of everything that is chosen at random */
  seed?: number
}

/** What {@link Trial.run} may throw where there are figures all the same. */
export class RuleBroken extends Error {
  constructor(
    message: string,
    readonly figures: Figures,
  ) {
    super(message)
  }
}

/** A fault, or a load, that the service must come through. */
export interface Trial {
  /** as `npm run trials -- --only <name>` has it */
  name: string
  /** what must hold; {@link run} throws where it does not */
  rule: string
  /** @throws AssertionError where the rule does not hold */
  run(form: Form, wishes?: Wishes): Promise<Figures>
  /** how long its full form may take, if that is more than is usual */
  mostMinutes?: number
  /** @returns why the trial cannot be made on this machine */
  obstacle?(): Promise<string | undefined>
  /** of what it prints, whatever came of it */
  lastLine?(figures: Figures): string
}

/** A trial of one function and two sizes. */
export const trialOf = <Size>(
  name: string,
  rule: string,
  sizes: Record<Form, Size>,
  run: (size: Size, wishes: Wishes) => Promise<Figures>,
  obstacle?: () => Promise<string | undefined>,
): Trial => ({
  name,
  rule,
  run: (form, wishes = {}) => run(sizes[form], wishes),
  ...(obstacle && { obstacle }),
})
