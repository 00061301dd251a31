import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { Job } from 'kubernetes-models/batch/v1'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { ConfigMap, Secret, Service } from 'kubernetes-models/v1'
import ts from 'typescript'
import { parseAllDocuments } from 'yaml'

/** As far as every manifest has it. */
export interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
}

const MODELS: Record<string, new (data: never) => { validate(): void }> = {
  ConfigMap,
  Deployment,
  Ingress,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
}

/** The objects of a file or of the output of kustomize. YAML 1.1, as Kubernetes reads it. */
export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text, { version: '1.1' }).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors.join('\n'))
    return document.toJS() as Manifest
  })

/** @throws Error with what the schema of the kind refuses; fields that it does not know are none of its business */
export function demandValid(manifest: Manifest): void {
  const model = MODELS[manifest.kind]
  if (!model) throw new Error(`there is no schema for the kind ${manifest.kind}`)
  new model(manifest as never).validate()
}

/** Fields that a kind does not know, and values of wrong types: what the types of Kubernetes refuse in a literal. */
export function typeMistakes(manifests: readonly Manifest[], root: string): string[] {
  const file = join(root, 'test', 'manifests-as-literals.ts')
  const lines = manifests.map((manifest) => {
    const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`
    return `const _: ${type} = ${JSON.stringify(manifest)}`
  })
  const text = lines.map((line) => `{ ${line} }`).join('\n')
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  }
  const real = ts.createCompilerHost(options)
  const host: ts.CompilerHost = {
    ...real,
    getSourceFile: (name, ...rest) =>
      name === file
        ? ts.createSourceFile(name, text, options.target ?? 0)
        : real.getSourceFile(name, ...rest),
    fileExists: (name) => name === file || real.fileExists(name),
    readFile: (name) => (name === file ? text : real.readFile(name)),
  }
  const program = ts.createProgram([file], options, host)
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))
}
