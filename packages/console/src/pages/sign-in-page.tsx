import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Failure } from '../parts/pieces.js'
import { signIn, type SignedIn } from '../session.js'

/** The key stays in the memory of the page: closing or reloading it signs out. */
export function SignInPage({
  base,
  reason,
  onSignIn,
}: {
  base: string
  reason: string | undefined
  onSignIn: (session: SignedIn) => void
}) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState(reason)
  useEffect(() => {
    document.title = 'Sign in · Vidimus console'
    field.current?.focus()
  }, [])
  const submit = async () => {
    setBusy(true)
    setError(undefined)
    try {
      onSignIn(await signIn(base, field.current?.value ?? ''))
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure))
      setBusy(false)
      field.current?.select()
    }
  }
  return (
    <main class="sign-in">
      <h1>
        <span aria-hidden="true" class="mark">
          V
        </span>
        Vidimus console
      </h1>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <div class="field">
          <label for={id}>API key</label>
          <input
            id={id}
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            aria-describedby={`${id}-hint`}
            aria-invalid={error === undefined ? undefined : true}
          />
          <p class="hint" id={`${id}-hint`}>
            It stays in the memory of this page alone: reloading or closing the page signs you out. A new one
            is made by <code>vidimus key create --account default</code>.
          </p>
        </div>
        <Failure text={error} />
        <button type="submit" class="primary wide" aria-disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
      </form>
      <p class="foot">
        <a href="../docs/">API documentation</a>
      </p>
    </main>
  )
}
