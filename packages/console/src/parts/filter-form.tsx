import { useEffect, useState } from 'preact/hooks'
import { routeHash, type Search, type TableRoute } from '../routes.js'
import { FormField } from './form-field.js'

/** A word of the address that narrows a table, as the API names it, and the field for it. */
export interface Filter {
  name: string
  label: string
  placeholder?: string
  /** one of these in place of text, or any */
  choices?: readonly string[]
  /** of choices that are not shown as they are */
  names?: Readonly<Record<string, string>>
}

/** The filter is in the address, so that it can be shared. */
export function FilterForm({
  label,
  filters,
  route,
}: {
  label: string
  filters: readonly Filter[]
  route: TableRoute
}) {
  const [words, setWords] = useState<Search>(route.search ?? {})
  // The Back button changes the address, not the fields.
  useEffect(() => setWords(route.search ?? {}), [JSON.stringify(route.search)])
  // On a phone the rows come first.
  const [isWide] = useState(() => window.matchMedia('(min-width: 40rem)').matches)
  const show = (wanted: Search) => {
    const given = filters.flatMap(({ name }) =>
      wanted[name]?.trim() ? [[name, wanted[name].trim()] as const] : [],
    )
    window.location.hash = routeHash({ ...route, search: Object.fromEntries(given), place: {} })
  }
  const set =
    ({ name, choices }: Filter) =>
    (word: string) => {
      const next = { ...words, [name]: word }
      setWords(next)
      // A choice is complete at once, a text when it is sent.
      if (choices) show(next)
    }
  return (
    <details open={isWide || route.search !== undefined}>
      <summary>Filter</summary>
      <form
        class="filters"
        role="search"
        aria-label={label}
        onSubmit={(event) => {
          event.preventDefault()
          show(words)
        }}
      >
        {filters.map((filter) => (
          <FormField
            key={filter.name}
            label={filter.label}
            value={words[filter.name] ?? ''}
            onChange={set(filter)}
            {...(filter.choices
              ? { choices: filter.choices, names: filter.names, none: 'any' }
              : { type: 'search', placeholder: filter.placeholder })}
          />
        ))}
        <div class="row">
          <button type="submit">Filter</button>
          {route.search && (
            <button type="button" onClick={() => show({})}>
              Show all
            </button>
          )}
        </div>
      </form>
    </details>
  )
}
