/** Why verification failed, as a sentence. */
export class Refused extends Error {}
