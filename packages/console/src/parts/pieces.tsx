import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { localTime } from './local-time.js'

/** The heading of a page: gets the focus when the page is opened, so that reading begins there. */
export function Heading({ children, title }: { children: ComponentChildren; title: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Vidimus console`
    heading.current?.focus()
  }, [title])
  return (
    <h1 tabIndex={-1} ref={heading}>
      {children}
    </h1>
  )
}

/**
 * Names with what is known about them; what is not known is left out.
 *
 * @param exact - values that are copied, such as identifiers
 */
export function Facts({
  of,
  exact = false,
  inline = false,
  live = false,
}: {
  of: Readonly<Record<string, ComponentChildren>>
  exact?: boolean
  inline?: boolean
  /** readers of the screen are told of changes */
  live?: boolean
}) {
  return (
    <dl class={inline ? 'facts inline' : 'facts'} {...(live && { 'aria-live': 'polite' as const })}>
      {Object.entries(of).map(
        ([name, fact]) =>
          fact !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd {...(exact && { class: 'mono wrap' })}>{fact}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function Failure({ text }: { text: string | undefined }) {
  return (
    <div role="alert" class={text ? 'note failure' : 'quiet'}>
      {text}
    </div>
  )
}

export function Section({
  title,
  children,
  actions,
}: {
  title: string
  children: ComponentChildren
  actions?: ComponentChildren
}) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** A row of a table: a cell for each column. */
export interface Row {
  key: string
  cells: ComponentChildren[]
}

/** A table; in narrow windows its rows become blocks, in which each cell has the name of its column. */
export function Table({ caption, head, rows }: { caption: string; head: string[]; rows: Row[] }) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="quiet">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, n) => (
                <td key={head[n]} data-column={head[n]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function Json({ value, label }: { value: unknown; label: string }) {
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {typeof value === 'string' ? value : JSON.stringify(value, null, 2)}
    </pre>
  )
}

/** Words between backticks are names of the API. */
export function Marked({ text }: { text: string }) {
  return <>{text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>
}

/** Times as operators compare them: in their own zone, to the second. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {localTime(new Date(at))}
    </time>
  )
}

export const shortened = (text: string, most = 28): string =>
  text.length <= most ? text : `${text.slice(0, most - 9)}…${text.slice(-8)}`

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
