/** Why something does not verify, in a sentence. */
export class Refused extends Error {}
