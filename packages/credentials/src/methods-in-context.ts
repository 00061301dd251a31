import type { IPluginMethodMap } from '@veramo/core-types'

/** The methods of a plugin as the agent calls them: with the context of the agent beside the arguments. */
export type MethodsInContext<Methods extends IPluginMethodMap, Context> = {
  [Name in keyof Methods]: (args: Parameters<Methods[Name]>[0], context: Context) => ReturnType<Methods[Name]>
}
