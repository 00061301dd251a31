import { Heading } from '../parts/pieces.js'

/** The page for an unknown address. */
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
