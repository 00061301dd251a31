import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Failure } from './parts/pieces.js'
import { fetchSignInState, OF_COOKIE, signIn, type SignedIn, type SignInState } from './session.js'

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
  const [providers, setProviders] = useState<SignInState['providers']>([])
  useEffect(() => {
    let isShown = true
    void fetchSignInState(base).then(async (state) => {
      if (isShown) setProviders(state.providers)
      // After a refusal, do not sign in again automatically.
      if (!state.signedIn || reason !== undefined) return
      const session = await signIn(base, OF_COOKIE).catch(() => undefined)
      if (isShown && session) onSignIn(session)
    })
    return () => {
      isShown = false
    }
  }, [base, reason, onSignIn])
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
            It stays only in the memory of this page: reloading or closing the page signs you out. To create
            one, run <code>vidimus key create --account default</code>.
          </p>
        </div>
        <Failure text={error} />
        <button type="submit" class="primary wide" aria-disabled={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </button>
        {providers.map(({ id, name }) => (
          <a key={id} class="button wide" href={`${base}/console/sign-in?provider=${id}`}>
            Sign in with {name}
          </a>
        ))}
      </form>
      <p class="foot">
        <a href="../docs/">API documentation</a>
      </p>
    </main>
  )
}
