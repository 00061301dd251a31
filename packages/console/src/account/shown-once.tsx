import { useState } from 'preact/hooks'
import type { Result } from '../parts/list-page.js'
import { ShownResult } from '../parts/pieces.js'
import { useSession } from '../session.js'

interface Secret {
  title: string
  /** what the secret is for, and where to keep it */
  hint: string
  secret: string
}

/** A secret that the service never shows again. It is kept in the memory of the page until it is closed. */
export const shownOnce =
  (secret: Secret): Result =>
  (onClose) => <ShownOnce {...secret} onClose={onClose} />

function ShownOnce({ title, hint, secret, onClose }: Secret & { onClose: () => void }) {
  const { announce } = useSession()
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => {
        setCopied(true)
        announce('Copied.')
      },
      () => announce('The browser does not allow copying: select the text.'),
    )
  return (
    <ShownResult
      title={title}
      close="I have stored it"
      onClose={onClose}
      tools={
        'clipboard' in navigator && (
          <button type="button" onClick={() => void copy()}>
            {copied ? 'Copied' : 'Copy'}
          </button>
        )
      }
    >
      <p class="note">{hint} It is shown only now.</p>
      <p class="mono wrap">{secret}</p>
    </ShownResult>
  )
}
