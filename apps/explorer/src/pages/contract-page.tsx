// Finds out what a contract is, and opens its page: a pool, a protocol's other contract, an asset, or else a holder of positions.

import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { apiCall } from '../api/api-call.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Failure, Skeleton } from '../components/block.tsx'
import { Page } from '../components/page.tsx'
import { shortened } from '../format/address.ts'
import { isProtocolId } from '../format/protocol-name.ts'
import { accountPath, assetPath, poolPath, protocolPath } from '../paths.ts'

export function ContractPage({ address }: { readonly address: string }) {
  const { route } = useLocation()
  // This answer names the contract, whatever it is; a request for a pool that does not exist would be an error in the console of the browser.
  const prices = useAnswer(apiCall('assets', 'prices', [address]))
  const protocol = prices.answer?.enrichment.contracts[address]?.protocol ?? ''
  const pools = useAnswer(isProtocolId(protocol) ? apiCall('pools', 'list', { protocol, limit: 100 }) : null)
  const [asset] = prices.answer?.data.prices ?? []
  const error = prices.error ?? pools.error

  useEffect(() => {
    if (prices.answer === undefined || (isProtocolId(protocol) && pools.answer === undefined)) return
    const isPool = pools.answer?.data.pools.some(({ pool_id }) => pool_id === address) === true
    const isAsset = asset !== undefined && (asset.symbol !== '' || asset.decimals !== null || asset.tags.length > 0)
    if (isPool) route(poolPath(address), true)
    else if (isAsset) route(assetPath(address), true)
    else if (protocol !== '') route(protocolPath(protocol), true)
    else route(accountPath(address), true)
  }, [address, prices.answer, pools.answer])

  return (
    <Page title={shortened(address)} kind="Contract" id={address}>
      {error === null ? <Skeleton lines={4} /> : <Failure error={error} retry={prices.retry} />}
    </Page>
  )
}
