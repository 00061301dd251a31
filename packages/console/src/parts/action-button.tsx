import type { ComponentChildren } from 'preact'

interface ActionButtonProps {
  /** why the action is disabled; absent: it is not */
  whyNot: string | undefined
  onClick: () => void
  /** it is running */
  busy?: boolean
  class?: string | undefined
  children: ComponentChildren
}

/**
 * A button for an action that is not always possible, for example with a limited API key: then it is disabled and
 * shows the reason.
 */
export function ActionButton({ whyNot, onClick, busy = false, class: look, children }: ActionButtonProps) {
  const off = busy || whyNot !== undefined
  return (
    <button
      type="button"
      class={look}
      aria-disabled={off ? true : undefined}
      title={whyNot}
      onClick={() => !off && onClick()}
    >
      {children}
    </button>
  )
}

/** The reasons as text, each once. */
export function Reasons({ of: reasons }: { of: readonly (string | undefined)[] }) {
  const given = [...new Set(reasons)].filter((reason) => reason !== undefined)
  return (
    <>
      {given.map((reason) => (
        <p class="hint" key={reason}>
          {reason}
        </p>
      ))}
    </>
  )
}
