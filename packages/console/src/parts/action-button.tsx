import type { ComponentChildren } from 'preact'

interface ActionButtonProps {
  /** why it cannot be done, mostly by this key; absent: it can */
  whyNot: string | undefined
  onClick: () => void
  /** it is being done already */
  busy?: boolean
  class?: string
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

/** The same for all to read, each reason once. */
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
