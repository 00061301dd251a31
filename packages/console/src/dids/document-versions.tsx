import { diffLines } from 'diff'
import { useState } from 'preact/hooks'
import { Failure, Section, Time } from '../parts/pieces.js'
import { useLoaded } from '../parts/use-loaded.js'
import { useSession } from '../session.js'

interface DocumentVersion {
  versionId: string
  created?: string
  updated?: string
  previousVersionId?: string
}

/** The versions of a DID document, each as what it changed. */
export function DocumentVersions({ did, newest }: { did: string; newest: string }) {
  const { client } = useSession()
  const [chosen, setChosen] = useState<string>()
  const { value, error } = useLoaded(`versions of ${did} ${newest}`, async () => {
    const { contentStream } = await client.get('/1.0/identifiers/{did}/versions', {
      params: { path: { did } },
    })
    return (contentStream as { versions: DocumentVersion[] }).versions.toReversed()
  })
  const shown = value?.find(({ versionId }) => versionId === chosen)
  return (
    <Section title={value ? `Versions of the document: ${value.length}` : 'Versions of the document'}>
      <Failure text={error} />
      <ol class="history">
        {value?.map((version) => {
          const { versionId, created = '', updated = created } = version
          return (
            <li key={versionId}>
              <Time at={updated} />
              <span>
                {version.previousVersionId === undefined ? (
                  'DID created'
                ) : (
                  <button
                    type="button"
                    class="plain"
                    aria-expanded={versionId === chosen}
                    onClick={() => setChosen(versionId === chosen ? undefined : versionId)}
                  >
                    {versionId === chosen ? 'Hide the changes' : 'Show the changes'}
                    <span class="quiet"> of version {versionId}</span>
                  </button>
                )}{' '}
                <span class="mono hint">{versionId}</span>
              </span>
            </li>
          )
        })}
      </ol>
      {shown?.previousVersionId !== undefined && (
        <Changes did={did} before={shown.previousVersionId} after={shown.versionId} />
      )}
    </Section>
  )
}

function Changes({ did, before, after }: { did: string; before: string; after: string }) {
  const { client } = useSession()
  const read = async (versionId: string) => {
    const document = await client.get('/1.0/identifiers/{did}', {
      params: { path: { did }, query: { versionId } },
      headers: { accept: 'application/did+json' },
    })
    return `${JSON.stringify(document, null, 2)}\n`
  }
  const { value, error } = useLoaded(`changes ${did} ${before} ${after}`, async () =>
    diffLines(await read(before), await read(after)),
  )
  return (
    <>
      <Failure text={error} />
      {value && (
        <pre class="code" tabIndex={0} role="region" aria-label="Changes of the version">
          {value.map(({ value: lines, added, removed }, n) =>
            added ? (
              <ins key={n}>{prefixed(lines, '+ ')}</ins>
            ) : removed ? (
              <del key={n}>{prefixed(lines, '− ')}</del>
            ) : (
              <span key={n}>{prefixed(lines, '  ')}</span>
            ),
          )}
        </pre>
      )}
    </>
  )
}

/** Colour alone must not carry the meaning. */
const prefixed = (lines: string, mark: string): string => lines.replace(/^(?=.)/gm, mark)
