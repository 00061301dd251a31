import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { routeHash, type Search, type TableRoute } from '../routes.js'
import { useSession, useWhyNot } from '../session.js'
import { ActionButton, Reasons } from './action-button.js'
import { Dialog } from './dialog.js'
import { FilterForm, type Filter } from './filter-form.js'
import { GroupNav } from './group-nav.js'
import { fullPage, Paging, totalOf, type PageOf, type PageQuery } from './paging.js'
import { Failure, Heading, Section, Table } from './pieces.js'
import { useAction, useLoaded, usePolling } from './use-loaded.js'

const ROWS_PER_PAGE = 25

export interface Column<Item> {
  head: string
  cell: (item: Item) => ComponentChildren
}

/** What an action has created, shown above the table until it is closed. */
export type Result = (onClose: () => void) => ComponentChildren

export interface DialogParts {
  onClose: () => void
  /** it was done: the table is read again */
  onDone: (result?: Result) => void
}

/** Something that can be done with the table, or with one of its rows. */
export type Action = {
  label: string
  /** with what, for users of screen readers: each row has such a button */
  of?: string
  /** of the API: a key that may not use it sees why */
  operation: string
  /** a further reason why it cannot be done */
  whyNot?: string | undefined
  primary?: boolean
} & (
  | { dialog: (parts: DialogParts) => ComponentChildren }
  | {
      /** @returns what is announced */
      run: () => Promise<string>
      /** what it means, for a dialog that asks first */
      confirm?: ComponentChildren
      /** it cannot be undone */
      grave?: boolean
    }
)

export interface ListingProps<Item> {
  /** its address, which has the filter and the place in the table */
  route: TableRoute
  /** of the table */
  caption: string
  /** over a table that nobody counts */
  title?: string
  /** a row, as it is counted: `DID` */
  one: string
  /** several; default: with an s */
  many?: string
  /** of the API, for the rows */
  operation: string
  read: (page: PageQuery, search: Search) => Promise<PageOf<Item>>
  /** its pages have no numbers */
  byCursor?: boolean
  size?: number
  filters?: readonly Filter[]
  columns: readonly Column<Item>[]
  keyOf: (item: Item) => string
  /** what is said if there are none at all */
  none: ComponentChildren
  actions?: readonly Action[]
  rowActions?: (item: Item) => readonly Action[]
  /** Whether an item changes by itself: then the table is read again and again. */
  goesOn?: (item: Item) => boolean
  /** further buttons */
  tools?: ComponentChildren
}

/** A page that is a table. @param children - below the table */
export function ListPage<Item>({
  heading,
  lead,
  children,
  ...listing
}: ListingProps<Item> & { heading: string; lead?: ComponentChildren; children?: ComponentChildren }) {
  return (
    <>
      <Heading title={heading}>{heading}</Heading>
      <GroupNav current={listing.route.page} />
      {lead}
      <Listing {...listing} />
      {children}
    </>
  )
}

/** A table of what the API lists, with its filter, its pages, and what can be done. */
export function Listing<Item>(props: ListingProps<Item>) {
  const { route, operation, caption, one, filters = [], actions = [], tools, goesOn } = props
  const whyNot = useWhyNot()
  const whyNotList = whyNot(operation)
  const reasonOf = (action: Action) => action.whyNot ?? whyNot(action.operation)
  const { page, place, search, error, loading, reload } = useRows(props, whyNotList === undefined)
  const { buttons, shown, error: failure, result } = useActions(reasonOf, reload)
  const heading = useRef<HTMLHeadingElement>(null)
  const isLeftAlone = useRef(false)
  const poll = () => {
    isLeftAlone.current = hasNoFocus()
    reload()
  }
  const isUnderWay = ({ items }: PageOf<Item>) => goesOn !== undefined && items.some(goesOn)
  usePolling({ value: page, reload: poll }, isUnderWay)
  // The button that had the focus may be gone with its row.
  useEffect(() => {
    if (hasNoFocus() && !isLeftAlone.current) heading.current?.focus()
    isLeftAlone.current = false
  }, [page, result === undefined])
  return (
    <>
      {result}
      <Section
        heading={heading}
        title={
          page?.total === undefined ? (props.title ?? caption) : totalOf({ ...page, total: page.total }, one)
        }
        actions={
          <div class="row">
            {whyNotList === undefined && (
              <button type="button" onClick={reload}>
                Refresh
              </button>
            )}
            {tools}
            {buttons(actions)}
          </div>
        }
      >
        <Reasons of={actions.map(reasonOf).filter((reason) => reason !== whyNotList)} />
        {whyNotList !== undefined && <p class="note">{whyNotList}</p>}
        {whyNotList === undefined && filters.length > 0 && (
          <FilterForm label={caption} filters={filters} route={route} />
        )}
        <Failure text={error ?? failure} />
        {loading && !page && <p class="hint">Loading …</p>}
        {page?.items.length === 0 && <None {...props} page={page} search={search} />}
        {page && page.items.length > 0 && <Rows {...props} items={page.items} buttons={buttons} />}
        {page && (
          <Paging
            place={place}
            size={props.size ?? ROWS_PER_PAGE}
            page={props.byCursor ? { items: page.items, next: page.next } : page}
            hrefOf={(next) => routeHash({ ...route, search, place: next })}
          />
        )}
      </Section>
      {shown}
    </>
  )
}

const hasNoFocus = () => document.activeElement === document.body

/** Reads the page that the address names. */
function useRows<Item>(props: ListingProps<Item>, mayRead: boolean) {
  const { route, filters = [], read, byCursor = false, size = ROWS_PER_PAGE } = props
  const given = filters.flatMap(({ name }) => {
    const word = route.search?.[name]
    return word === undefined ? [] : [[name, word] as const]
  })
  const search: Search = Object.fromEntries(given)
  // A page number means nothing where pages have none.
  const place = byCursor && route.place?.after === undefined ? {} : (route.place ?? {})
  const { value, ...loaded } = useLoaded(
    JSON.stringify([routeHash({ ...route, search, place }), mayRead]),
    async () => (mayRead ? fullPage((page) => read(page, search), place, size) : undefined),
  )
  return { page: value, place, search, ...loaded }
}

/** The buttons of actions, what they have opened, and what came of them. */
export function useActions(reasonOf: (action: Action) => string | undefined, reload: () => void) {
  const { announce } = useSession()
  const [opened, setOpened] = useState<Action>()
  const [result, setResult] = useState<Result>()
  const onClose = () => setOpened(undefined)
  const onDone = (next?: Result) => {
    setResult(() => next)
    reload()
  }
  const act = useAction(async (run: () => Promise<string>) => {
    announce(await run())
    reload()
  })
  const begin = (action: Action) =>
    'run' in action && action.confirm === undefined ? act.run(action.run) : setOpened(action)
  const buttons = (actions: readonly Action[]) =>
    actions.map((action) => (
      <ActionButton
        key={action.label}
        class={action.primary ? 'primary' : undefined}
        whyNot={reasonOf(action)}
        busy={act.busy}
        onClick={() => begin(action)}
      >
        {action.label}
        {action.of !== undefined && <span class="quiet"> {action.of}</span>}
      </ActionButton>
    ))
  const shown =
    opened &&
    ('run' in opened ? (
      <Confirm {...opened} onClose={onClose} onDone={onDone} />
    ) : (
      opened.dialog({ onClose, onDone })
    ))
  return { buttons, shown, error: act.error, result: result?.(() => setResult(undefined)) }
}

function Confirm({
  label,
  of = '',
  run,
  confirm,
  grave,
  onClose,
  onDone,
}: Extract<Action, { run: unknown }> & DialogParts) {
  const { announce } = useSession()
  const doing = useAction(async () => {
    const done = await run()
    onClose()
    announce(done)
    onDone()
  })
  return (
    <Dialog
      title={`${label} ${of}`}
      submit={label}
      grave={grave ?? false}
      busy={doing.busy}
      onClose={onClose}
      onSubmit={doing.run}
    >
      {confirm}
      <Failure text={doing.error} />
    </Dialog>
  )
}

function Rows<Item>({
  caption,
  columns,
  keyOf,
  rowActions,
  items,
  buttons,
}: ListingProps<Item> & {
  items: readonly Item[]
  buttons: (actions: readonly Action[]) => ComponentChildren
}) {
  const head = columns.map((column) => column.head)
  const rows = items.map((item) => {
    const actions = rowActions?.(item) ?? []
    const cells = columns.map(({ cell }) => cell(item))
    if (rowActions) cells.push(actions.length > 0 && <span class="row">{buttons(actions)}</span>)
    return { key: keyOf(item), cells }
  })
  return <Table caption={caption} head={rowActions ? [...head, 'Actions'] : head} rows={rows} />
}

/** Why the page has no rows. */
function None<Item>({
  route,
  one,
  many = `${one}s`,
  none,
  page,
  search,
}: ListingProps<Item> & { page: PageOf<Item>; search: Search }) {
  if (page.next !== undefined)
    return <p class="hint">None found so far. The search continues on the next page.</p>
  if (Object.keys(search).length > 0) {
    return (
      <p class="hint">
        No {many} match. <a href={routeHash({ ...route, search: {}, place: {} })}>Show all</a>
      </p>
    )
  }
  return <p class="hint">{route.place ? 'Nothing on this page.' : none}</p>
}
