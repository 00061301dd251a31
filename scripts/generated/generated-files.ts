import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { apiDocument } from '../../packages/remote-server/src/docs/api-document.js'
import { operations } from '../../packages/remote-server/src/operations/index.js'
import type { AgentSchema } from '../../packages/remote-server/src/rpc/method-schemas.js'
import { CredentialsPlugin } from '../../packages/credentials/src/index.js'
import { PresentationPlugin } from '../../packages/presentation/src/index.js'
import { StatusList2021, StatusListPlugin } from '../../packages/status-list/src/index.js'
import { apiCollection } from './api-collection.js'
import { apiTypes } from './api-types.js'

const root = join(import.meta.dirname, '../..')

/** Everything that is made from the API document, and what must stand in it now. */
export async function generatedFiles(): Promise<{ file: string; text: string }[]> {
  const document = wholeDocument()
  return Promise.all([
    formatted('packages/client/src/api-types.ts', await apiTypes(document)),
    formatted(
      'examples/api-collection/vidimus.postman_collection.json',
      JSON.stringify(apiCollection(document)),
    ),
  ])
}

/** The document of a service that has everything; one that lacks a plugin serves a part of it. */
export function wholeDocument() {
  return apiDocument(operations, {
    publicUrl: undefined,
    servesIdentifiers: true,
    servesLists: true,
    schema: shippedSchema(),
    idempotency: { begin: () => Promise.resolve({ outcome: 'busy' }) },
  })
}

/** What plugins tell of their limits where `agent.yml` does not say otherwise. */
function shippedSchema(): AgentSchema {
  const plugins = [
    new StatusListPlugin({ types: [StatusList2021] }),
    new CredentialsPlugin(),
    new PresentationPlugin(),
  ]
  const merged: AgentSchema = { components: { schemas: {}, methods: {} } }
  for (const { schema } of plugins) {
    Object.assign(merged.components.schemas, schema.components.schemas)
    Object.assign(merged.components.methods, schema.components.methods)
  }
  return merged
}

async function formatted(path: string, text: string) {
  const file = join(root, path)
  return { file, text: await format(text, { ...(await resolveConfig(file)), filepath: file }) }
}
