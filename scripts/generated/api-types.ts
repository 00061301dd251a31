import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'

const NOTE = '// Made from the API document by `npm run generate`; changes go into the operations.\n\n'

/** The types of all paths, as openapi-fetch reads them. */
export async function apiTypes(document: object): Promise<string> {
  // A copy, as it is changed on the way.
  const source = JSON.parse(JSON.stringify(document)) as OpenAPI3
  // What has a default need not be sent.
  const tree = await openapiTS(source, { defaultNonNullable: false, silent: true })
  return NOTE + astToString(tree)
}
