import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'

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
 * Names and values; undefined values are left out.
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
  /** screen readers announce changes */
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

/** @param heading - where the focus can be moved to */
export function Section({
  title,
  children,
  actions,
  heading,
}: {
  title: string
  children: ComponentChildren
  actions?: ComponentChildren
  heading?: RefObject<HTMLHeadingElement>
}) {
  const id = useId()
  return (
    <section class="card" aria-labelledby={id}>
      <header class="card-head">
        <h2 id={id} {...(heading && { ref: heading, tabIndex: -1 })}>
          {title}
        </h2>
        {actions}
      </header>
      {children}
    </section>
  )
}

/** What was created or found; gets the focus, and stays until it is closed. */
export function ShownResult({
  title,
  close,
  onClose,
  tools,
  children,
}: {
  title: string
  /** on the button that closes it */
  close: string
  onClose: () => void
  /** further buttons */
  tools?: ComponentChildren
  children: ComponentChildren
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [title])
  return (
    <Section title={title} heading={heading}>
      {children}
      <div class="row">
        {tools}
        <button type="button" class="primary" onClick={onClose}>
          {close}
        </button>
      </div>
    </Section>
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

const two = (number: number) => String(number).padStart(2, '0')

/** A time in the zone of the reader, in the order in which times compare: `2027-01-31 12:00:00`. */
export function localTime(time: Date): string {
  const date = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${date} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')}`
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
