import { Heading } from '../parts/pieces.js'

/** What an address leads to that means nothing here. */
export function UnknownPage({ address }: { address: string }) {
  return (
    <>
      <Heading title="Not found">Not found</Heading>
      <p class="note">
        There is no such page: <span class="mono wrap">{address}</span>. <a href="#/dids">Go to the DIDs</a>
      </p>
    </>
  )
}
