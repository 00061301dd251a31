import { useState } from 'preact/hooks'
import { ActionButton, Reasons } from '../parts/action-button.js'
import { Failure, Json, Section } from '../parts/pieces.js'
import { useAction } from '../parts/use-loaded.js'
import { reached, useSession, useWhyNot, type Session } from '../session.js'
import { builtRequest, FormProblems, type BuiltRequest } from './built-request.js'
import { curlCommand } from './curl-command.js'
import type { Operation } from './operation-form.js'

interface Answer {
  status: number
  statusText: string
  milliseconds: number
  requestId: string | null
  body: string
}

/** The command for the shell, and the service's response. */
export function RequestResult({
  operation,
  values,
  onProblems,
}: {
  operation: Operation
  values: Readonly<Record<string, string>>
  onProblems: (problems: ReadonlyMap<string, string>) => void
}) {
  const session = useSession()
  const [showKey, setShowKey] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const request = attempt(operation, values)
  const reasonAgainst = useWhyNot()
  const whyNot = operation.open ? undefined : reasonAgainst(operation.id)
  const { run, busy, error } = useAction(async () => {
    onProblems(request instanceof FormProblems ? request.problems : new Map())
    // The response to an earlier request is not the result of this one.
    setAnswer(undefined)
    if (request instanceof FormProblems) return
    const received = await sent(session, request)
    setAnswer(received)
    session.announce(`The service responded with ${received.status}.`)
  })
  return (
    <>
      <Section
        title="Command"
        actions={
          <button type="button" aria-pressed={showKey} onClick={() => setShowKey(!showKey)}>
            {showKey ? 'Hide the API key' : 'Show the API key'}
          </button>
        }
      >
        <Json
          label="Command for the shell"
          value={
            request instanceof FormProblems
              ? `# ${request.message}`
              : curlCommand(session.base, request, showKey ? session.apiKey : undefined)
          }
        />
        <div class="row">
          <ActionButton class="primary" whyNot={whyNot} busy={busy} onClick={run}>
            {busy ? 'Sending …' : 'Send'}
          </ActionButton>
          {operation.method !== 'GET' && <span class="hint">Sends a real request to your account.</span>}
        </div>
        <Reasons of={[whyNot]} />
        <Failure text={error} />
      </Section>
      {answer && <AnswerShown answer={answer} />}
    </>
  )
}

function AnswerShown({ answer: { status, statusText, milliseconds, requestId, body } }: { answer: Answer }) {
  return (
    <Section title={`Answer: ${status} ${statusText}`}>
      <p class="hint">
        {milliseconds} ms{requestId && ` · request ${requestId}`}
      </p>
      <Json value={body} label="Body of the answer" />
    </Section>
  )
}

function attempt(
  operation: Operation,
  values: Readonly<Record<string, string>>,
): BuiltRequest | FormProblems {
  try {
    return builtRequest(operation, values)
  } catch (error) {
    if (error instanceof FormProblems) return error
    throw error
  }
}

async function sent(session: Session, request: BuiltRequest): Promise<Answer> {
  const { method, path, headers, body, keyed } = request
  const started = performance.now()
  const init: RequestInit = {
    method,
    headers: { ...headers, ...(keyed && { 'x-api-key': session.apiKey }) },
    ...(body !== undefined && { body }),
    // The key must not follow to another address.
    redirect: keyed ? 'error' : 'follow',
  }
  const response = await reached(fetch(session.base + path, init))
  const text = await reached(response.text())
  return {
    status: response.status,
    statusText: response.statusText,
    milliseconds: Math.round(performance.now() - started),
    requestId: response.headers.get('x-request-id'),
    body: pretty(text),
  }
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
