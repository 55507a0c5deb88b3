// Assets and pools whose names have a text, of all that the index has. One exact symbol opens the asset at once.

import type { AssetItem, PoolItem } from '@orrery/client'
import { useEffect } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { matching } from '../api/matching.ts'
import { useAnswer } from '../api/use-answer.ts'
import { allAssets, allPools } from '../api/whole-list.ts'
import { Block } from '../components/block.tsx'
import { AddressLink, AssetLink } from '../components/links.tsx'
import { Page } from '../components/page.tsx'
import { PoolsTable } from '../components/pools-table.tsx'
import { Table } from '../components/table.tsx'
import { numbers } from '../format/number.ts'
import { assetPath } from '../paths.ts'

export function SearchPage() {
  const { query, route } = useLocation()
  const text = (query.q ?? '').trim()
  const assets = allAssets()
  const { answer } = useAnswer(assets)
  const exact = answer?.data.assets.filter((asset) => isNamed(asset, text)) ?? []
  const only = exact.length === 1 ? exact[0]?.asset_id : undefined
  useEffect(() => {
    if (only !== undefined) route(assetPath(only), true)
  }, [only])
  return (
    <Page title={text === '' ? 'Search' : `Search: ${text}`}>
      <Block
        title="Assets"
        call={assets}
        select={(list) => matching(list, 'assets', (asset: AssetItem) => isLike(asset, text))}
        lines={6}
        isUneven
        empty={({ data }) => (data.assets.length > 0 ? null : 'No asset has this text in its symbol.')}
      >
        {({ data }) => (
          <Table
            label="Assets"
            rows={data.assets}
            keyOf={({ asset_id }) => asset_id}
            columns={[
              { title: 'Asset', cell: ({ asset_id, symbol }) => <AssetLink assetId={asset_id} symbol={symbol} /> },
              { title: 'Price', cell: ({ price_usd }) => numbers.price(price_usd), isNumber: true },
              { title: 'Issuer', cell: ({ issuer }) => <AddressLink address={issuer ?? ''} /> },
            ]}
          />
        )}
      </Block>
      <Block
        title="Pools"
        call={allPools()}
        select={(list) => matching(list, 'pools', ({ name }: PoolItem) => hasText(name, text))}
        lines={6}
        empty={({ data }) => (data.pools.length > 0 ? null : 'No pool has this text in its name.')}
      >
        {({ data }) => <PoolsTable pools={data.pools} />}
      </Block>
    </Page>
  )
}

/** `XLM`, or `USDC:G…` with the issuer. */
function isNamed({ symbol, issuer }: AssetItem, text: string): boolean {
  const upper = text.toUpperCase()
  return symbol !== '' && (symbol.toUpperCase() === upper || `${symbol}:${issuer}`.toUpperCase() === upper)
}

function isLike(asset: AssetItem, text: string): boolean {
  return isNamed(asset, text) || hasText(asset.symbol, text)
}

function hasText(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase())
}
