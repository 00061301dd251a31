import { listed } from '../rights.js'
import { useSession } from '../session.js'

/**
 * States that an embedded ledger is not a public network.
 *
 * @param network - default: any
 */
export function LocalNote({ network }: { network?: string | undefined }) {
  const { localNetworks } = useSession()
  const meant = localNetworks.filter((one) => network === undefined || one === network)
  if (meant.length === 0) return null
  return (
    <p class="note">
      DIDs on {listed(meant, 'and')} are on the embedded ledger of this service, not on a public network: only
      this service can resolve them.
    </p>
  )
}
