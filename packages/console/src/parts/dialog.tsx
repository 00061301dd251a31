import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  onSubmit: () => void
  submit: string
  busy?: boolean
  /** what gets the focus after closing, if not the previous element */
  focusAfter?: () => HTMLElement | null
  /** its action cannot be undone */
  grave?: boolean
  children: ComponentChildren
}

/** A modal dialog of the browser: it traps the focus, closes with Escape, and restores the focus. */
export function Dialog(props: DialogProps) {
  const { title, onClose, onSubmit, submit, busy = false, grave = false, focusAfter, children } = props
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    const { current } = dialog
    current?.showModal()
    return () => {
      current?.close()
      const next = focusAfter?.() ?? before
      if (next instanceof HTMLElement && next.isConnected) next.focus()
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
            {/* Not twice the same word. */}
            {submit === 'Cancel' ? 'Back' : 'Cancel'}
          </button>
          <button type="submit" class={grave ? 'primary grave' : 'primary'} aria-disabled={busy}>
            {busy ? 'Working …' : submit}
          </button>
        </div>
      </form>
    </dialog>
  )
}
