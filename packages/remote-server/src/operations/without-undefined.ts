type Present<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }

/** The fields that were sent: agent methods distinguish absent fields from undefined ones. */
export const withoutUndefined = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>
