import { useState } from 'preact/hooks'
import { Section } from '../parts/pieces.js'
import { useSession } from '../session.js'

interface ShownOnceProps {
  title: string
  /** what the secret is for, and where to keep it */
  hint: string
  secret: string
  onClose: () => void
}

/** A secret that the service never shows again. It is kept in the memory of the page until it is closed. */
export function ShownOnce({ title, hint, secret, onClose }: ShownOnceProps) {
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
    <Section title={title}>
      <p class="note">{hint} It is shown only now.</p>
      <p class="mono wrap">{secret}</p>
      <div class="row">
        {'clipboard' in navigator && (
          <button type="button" onClick={() => void copy()}>
            {copied ? 'Copied' : 'Copy'}
          </button>
        )}
        <button type="button" class="primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Section>
  )
}
