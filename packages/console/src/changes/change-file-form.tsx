import { useId, useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Dialog } from '../parts/dialog.js'
import { Failure } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { useWhyNot } from '../session.js'
import { useNewJob, type ChangeFile } from './use-job.js'

interface ChangeButtonsProps {
  /** @throws Error if it cannot be sent, with a message for people */
  file: () => ChangeFile
  /** @param id - of the job */
  onBegun: (id: string) => void
}

/** Runs changes dry, or applies them after a confirmation. */
export function ChangeButtons({ file, onBegun }: ChangeButtonsProps) {
  const begin = useNewJob()
  const whyNot = useWhyNot()('status-job-create')
  const [confirming, setConfirming] = useState<ChangeFile>()
  const trying = useAction(async () => onBegun(await begin(file(), true)))
  const asking = useAction(() => Promise.resolve().then(() => setConfirming(file())))
  return (
    <>
      <div class="row">
        <ActionButton whyNot={whyNot} busy={trying.busy} onClick={trying.run}>
          {trying.busy ? 'Sending …' : 'Dry run'}
        </ActionButton>
        <ActionButton class="primary" whyNot={whyNot} onClick={asking.run}>
          Apply
        </ActionButton>
      </div>
      <Reasons of={[whyNot]} />
      <Failure text={trying.error ?? asking.error} />
      {confirming !== undefined && (
        <ApplyChanges file={confirming} onClose={() => setConfirming(undefined)} onBegun={onBegun} />
      )}
    </>
  )
}

function ApplyChanges({
  file,
  onClose,
  onBegun,
}: {
  file: ChangeFile
  onClose: () => void
  onBegun: (id: string) => void
}) {
  const begin = useNewJob()
  const { run, busy, error } = useAction(async () => {
    onBegun(await begin(file, false))
    onClose()
  })
  return (
    <Dialog title="Apply all changes" submit="Apply" grave busy={busy} onClose={onClose} onSubmit={run}>
      <p class="note failure">Revocations are permanent and cannot be undone.</p>
      <p>
        The changes are published for every verifier to see. A dry run shows before what would be refused.
      </p>
      <Failure text={error} />
    </Dialog>
  )
}

/** A file to choose or drop, which may be too long for a text field. */
export function FileField({
  file,
  onFile,
}: {
  file: File | undefined
  onFile: (file: File | undefined) => void
}) {
  const id = useId()
  return (
    <div
      class="field drop"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onFile(event.dataTransfer?.files[0])
      }}
    >
      {!file && <label for={id}>A file (choose it, or drop it here)</label>}
      {file ? (
        <div class="row" id={id}>
          <span>
            {file.name}, {file.size.toLocaleString('en')} bytes
          </span>
          <button type="button" onClick={() => onFile(undefined)}>
            Remove
          </button>
        </div>
      ) : (
        <input
          id={id}
          type="file"
          accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
          onChange={(event) => onFile(event.currentTarget.files?.[0])}
        />
      )}
    </div>
  )
}
