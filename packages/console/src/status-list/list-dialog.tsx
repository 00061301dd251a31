import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.js'
import { FormField } from '../parts/form-field.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { routeHash } from '../routes.js'
import { useSession } from '../session.js'
import { DRAWN_TYPES } from './list-content.js'
import { listsToCreate } from './lists-to-create.js'
import { useListTypes, type ListTypeFacts } from './list-types.js'

const PURPOSES = ['revocation', 'suspension', 'revocation and suspension'] as const

/** A single list, or a series of them. */
const WHEN_FULL = ['refuse entries', 'continue in a new list'] as const
const WITH_CHANGES = 'only with changes'
const ALWAYS = 'at each interval'

/** Whether versions also have a Data Integrity proof, for verifiers that read no JWTs. */
const PROOFS: Readonly<Record<string, boolean>> = {
  'signed JWT alone': false,
  'with an embedded proof': true,
}

const TWO_LISTS =
  'Creates one list for each purpose, as few verifiers read a list with several; name both when you issue'

const MEANINGS = 'valid\nrevoked\nsuspended'

/** One message for each value, as lists of several bits need them; values without a line have none. */
function messagesFor(size: number, lines: string) {
  const words = lines.split('\n').map((line) => (line.trim() === '' ? undefined : line.trim()))
  return Array.from({ length: 2 ** size }, (_, value) => ({
    status: `0x${value.toString(16)}`,
    message: words[value] ?? 'undefined',
  }))
}

/** The purposes of a list type: the usual ones, or those that the type defines instead. */
function purposesOf(facts: ListTypeFacts | undefined): readonly string[] {
  if (!facts) return PURPOSES
  const usual = PURPOSES.filter((words) =>
    words.split(' and ').every((word) => facts.purposes.includes(word)),
  )
  return usual.length > 0 ? usual : facts.purposes
}

/** Publishes a new list, and goes to its page. */
export function CreateList({ did, onClose }: { did: string; onClose: () => void }) {
  const { client, announce } = useSession()
  const [statusListName, setName] = useState('')
  const types = useListTypes()
  const [listType, setType] = useState('BitstringStatusList')
  const [chosen, setPurpose] = useState<string>(PURPOSES[0])
  const [size, setSize] = useState('')
  const [length, setLength] = useState('')
  const [whenFull, setWhenFull] = useState<string>(WHEN_FULL[0])
  const [meanings, setMeanings] = useState(MEANINGS)
  const [interval, setInterval] = useState('')
  const [versions, setVersions] = useState<string>(WITH_CHANGES)
  const [proof, setProof] = useState('')
  const facts = types.find(({ type }) => type === listType)
  const purposes = purposesOf(facts)
  const purpose = purposes.includes(chosen) ? chosen : (purposes[0] ?? chosen)
  const sizes = facts?.statusSizes ?? [1, 2, 4, 8]
  const worded = listType === 'BitstringStatusList' && Number(size) > 1
  const wanted = listsToCreate(listType, statusListName.trim(), purpose)
  const createOne = async (one: (typeof wanted)[number]) => {
    const { resourceMetadata } = await client.post('/credential-status/create/unencrypted', {
      params: { query: { listType, statusPurpose: one.statusPurpose } },
      body: {
        did,
        statusListName: one.statusListName,
        ...(size !== '' && { statusSize: Number(size) }),
        ...(worded && { statusMessages: messagesFor(Number(size), meanings) }),
        ...(length.trim() !== '' && { length: Number(length) }),
        ...(facts?.embedsProofs && proof !== '' && { embeddedProof: PROOFS[proof] === true }),
        ...(whenFull === WHEN_FULL[1] && { series: true }),
        ...(interval.trim() !== '' && { publishEvery: interval.trim(), always: versions === ALWAYS }),
      },
    })
    return resourceMetadata
  }
  const { run, busy, error } = useAction(async () => {
    const [first, ...others] = wanted
    if (!first) return
    const { resourceType, resourceName } = await createOne(first)
    for (const one of others) await createOne(one)
    onClose()
    announce(`Created the list ${wanted.map((one) => one.statusListName).join(' and the list ')}.`)
    const list = { did, listType, resourceType, statusListName: resourceName }
    window.location.hash = routeHash({ page: 'list', list })
  })
  return (
    <Dialog title="Create a status list" submit="Create" busy={busy} onClose={onClose} onSubmit={run}>
      <FormField label="Name" value={statusListName} onChange={setName} required />
      <FormField
        label="Type"
        value={listType}
        onChange={setType}
        choices={types.length > 0 ? types.map(({ type }) => type) : DRAWN_TYPES}
      />
      <FormField
        label="Purpose"
        value={purpose}
        onChange={setPurpose}
        choices={purposes}
        {...(wanted.length > 1 && { hint: TWO_LISTS })}
      />
      <div class="pair">
        <FormField
          label="Bits of an entry"
          value={size}
          onChange={setSize}
          choices={sizes.map(String)}
          none="Automatic"
        />
        <FormField
          label="Entries"
          type="number"
          value={length}
          onChange={setLength}
          {...(facts && {
            placeholder: String(facts.defaultLength),
            hint: `Minimum ${facts.minLength.toLocaleString('en')}`,
          })}
        />
      </div>
      {facts?.embedsProofs && (
        <FormField
          label="Proof"
          value={proof}
          onChange={setProof}
          choices={Object.keys(PROOFS)}
          none="Default of the service"
          hint="An embedded proof is for verifiers that do not read JWTs"
        />
      )}
      <FormField
        label="When all entries are used"
        value={whenFull}
        onChange={setWhenFull}
        choices={WHEN_FULL}
        hint="A series keeps its name as it grows; its lists are called name.1, name.2 and so on"
      />
      <div class="pair">
        <FormField
          label="Publish every"
          value={interval}
          onChange={setInterval}
          placeholder="PT15M"
          hint="Optional; otherwise each change at once"
        />
        {interval.trim() !== '' && (
          <FormField
            label="Versions"
            value={versions}
            onChange={setVersions}
            choices={[WITH_CHANGES, ALWAYS]}
          />
        )}
      </div>
      {worded && (
        <FormField
          label="What the values mean"
          value={meanings}
          onChange={setMeanings}
          rows={4}
          hint="One line per value, starting at 0"
        />
      )}
      <Failure text={error} />
    </Dialog>
  )
}
