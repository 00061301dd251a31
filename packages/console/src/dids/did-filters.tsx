import { useState } from 'preact/hooks'
import { FormField } from '../parts/form-field.js'
import { routeHash, type Search } from '../routes.js'
import { useMethods } from './use-methods.js'

/** Narrows the DIDs of the account; the address keeps what was chosen. */
export function DidFilters({ search }: { search: Search }) {
  const [fields, setFields] = useState<Search>(search)
  const providers = useMethods().map(({ provider }) => provider)
  const written = (name: string) => ({
    value: fields[name] ?? '',
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
  })
  // A choice counts at once, a text when it is complete.
  const chosen = (name: string) => ({
    value: fields[name] ?? '',
    onChange: (value: string) => {
      const next = { ...fields, [name]: value }
      setFields(next)
      show(next)
    },
  })
  return (
    <form
      class="filters"
      role="search"
      aria-label="DIDs of the account"
      onSubmit={(event) => {
        event.preventDefault()
        show(fields)
      }}
    >
      <FormField label="Provider" {...chosen('provider')} choices={providers} none="all providers" />
      <FormField
        label="Network"
        {...chosen('network')}
        choices={['testnet', 'mainnet']}
        none="all networks"
      />
      <FormField label="Alias" {...written('alias')} placeholder="acme*" />
      <FormField label="Obtained after" {...written('createdAfter')} placeholder="2026-01-31" />
      <FormField label="Obtained before" {...written('createdBefore')} placeholder="2026-12-31" />
      <div class="row">
        <button type="submit">Filter</button>
        {Object.keys(search).length > 0 && (
          <button
            type="button"
            onClick={() => {
              setFields({})
              show({})
            }}
          >
            Show all
          </button>
        )}
      </div>
    </form>
  )
}

function show(wanted: Search): void {
  const given = Object.entries(wanted).flatMap(([name, value]) =>
    value.trim() ? [[name, value.trim()] as const] : [],
  )
  window.location.hash = routeHash({ page: 'dids', search: Object.fromEntries(given) })
}
