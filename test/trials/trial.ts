/** What a trial measured, for people. */
export type Figures = Record<string, number | string>

/** `full` is for `npm run trials`, `short` for the test command. */
export type Form = 'full' | 'short'

/** A fault, or a load, that the service has to come through. */
export interface Trial {
  /** as `npm run trials -- --only <name>` has it */
  name: string
  /** what has to hold; {@link run} throws where it does not */
  rule: string
  /** @throws AssertionError where the rule does not hold */
  run(form: Form): Promise<Figures>
  /** @returns why the trial cannot be made on this machine */
  obstacle?(): Promise<string | undefined>
}

/** A trial of one function and two sizes. */
export const trialOf = <Size>(
  name: string,
  rule: string,
  sizes: Record<Form, Size>,
  run: (size: Size) => Promise<Figures>,
  obstacle?: () => Promise<string | undefined>,
): Trial => ({ name, rule, run: (form) => run(sizes[form]), ...(obstacle && { obstacle }) })
