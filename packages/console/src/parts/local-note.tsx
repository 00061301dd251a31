import { listed } from '../rights.js'
import { useSession } from '../session.js'

/**
 * States that an embedded ledger is not a public network.
 *
 * @param network - the one concerned; default: any
 */
export function LocalNote({ network }: { network?: string | undefined }) {
  const { localNetworks } = useSession()
  const meant = localNetworks.filter((one) => network === undefined || one === network)
  if (meant.length === 0) return null
  return (
    <p class="note">
      DIDs of {listed(meant, 'and')} live on the embedded ledger of this service: they are on no public
      network, and nobody can resolve them anywhere else.
    </p>
  )
}
