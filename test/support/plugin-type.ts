/** The list type of another author that examples/list-type-plugin is. */
export const PLUGIN_TYPE = 'RevocationList2020'

const LAST = "                - { $require: '@vidimus/status-list?t=object#TokenStatusList' }\n"
const LINE = LAST.replace(
  '@vidimus/status-list?t=object#TokenStatusList',
  '@vidimus-examples/revocation-list-2020?t=object#RevocationList2020',
)

/** Adds its line to a configuration. */
export const withPluginType = (text: string): string => text.replace(LAST, LAST + LINE)
