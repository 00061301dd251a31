import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  onSubmit: () => void
  submit: string
  busy?: boolean
  /** what it does cannot be taken back */
  grave?: boolean
  children: ComponentChildren
}

/** A modal dialog of the browser: it keeps the focus, ends with Escape, and gives the focus back. */
export function Dialog({
  title,
  onClose,
  onSubmit,
  submit,
  busy = false,
  grave = false,
  children,
}: DialogProps) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const { current } = dialog
    current?.showModal()
    return () => {
      current?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) onSubmit()
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class={grave ? 'primary grave' : 'primary'} aria-disabled={busy}>
            {busy ? 'Working …' : submit}
          </button>
        </div>
      </form>
    </dialog>
  )
}
