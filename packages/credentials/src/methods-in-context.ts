import type { IPluginMethodMap } from '@veramo/core-types'

/** The methods of a plugin in the form that the agent calls: with the agent context after the arguments. */
export type MethodsInContext<Methods extends IPluginMethodMap, Context> = {
  [Name in keyof Methods]: (args: Parameters<Methods[Name]>[0], context: Context) => ReturnType<Methods[Name]>
}
