type Present<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** The fields that were sent: agent methods tell apart what is left out and what is given. */
export const withoutUndefined = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
