// Auctions of a lending pool: those that are open, and what earlier ones and bad debts moved.

import { type Enrichment, fromRaw, type LendingPoolMetadata } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { contractNames } from '../api/contract-names.ts'
import { labelOf } from '../format/address.ts'
import { numbers } from '../format/number.ts'
import { auctionProgress } from '../pools/auction-progress.ts'
import { Block } from './block.tsx'
import { AddressLink, AssetLink, LedgerLink } from './links.tsx'
import { PoolActivitiesBlock } from './pool-activities-block.tsx'
import { Table } from './table.tsx'

type Auction = LendingPoolMetadata['auctions'][number]

/** What the raw amounts of a bid and of a lot count; "" where it is the asset itself. */
const BID_OF: Readonly<Record<Auction['type'], string>> = { user_liquidation: 'dTokens', bad_debt: 'dTokens', interest: '' }
const LOT_OF: Readonly<Record<Auction['type'], string>> = { user_liquidation: 'bTokens', bad_debt: '', interest: '' }

interface AuctionsBlockProps {
  /** Id of the pool. */
  readonly pool: string
  /** Contract of the pool. */
  readonly contract: string
}

export function AuctionsBlock({ pool, contract }: AuctionsBlockProps) {
  return (
    <>
      <Block
        title="Open auctions"
        call={apiCall('pools', 'get', pool)}
        lines={3}
        empty={({ data }) => (data.type === 'lending' && data.metadata.auctions.length > 0 ? null : 'No auction is open at this ledger.')}
      >
        {({ data, enrichment, meta }) =>
          data.type === 'lending' && (
            <OpenAuctions auctions={data.metadata.auctions} enrichment={enrichment} ledger={meta.last_indexed_ledger} />
          )
        }
      </Block>
      <PoolActivitiesBlock
        pool={pool}
        contract={contract}
        title="Auctions and liquidations"
        types={['auction', 'liquidation', 'bad_debt']}
        nothing="No auction, liquidation or bad debt happened in this pool."
      />
    </>
  )
}

interface OpenAuctionsProps {
  readonly auctions: readonly Auction[]
  readonly enrichment: Enrichment
  readonly ledger: number
}

function OpenAuctions({ auctions, enrichment, ledger }: OpenAuctionsProps) {
  const nameOf = contractNames(enrichment)
  return (
    <>
      <Table
        label="Open auctions"
        rows={auctions}
        keyOf={({ type, address }) => `${type} ${address}`}
        columns={[
          { title: 'What', cell: ({ type }) => labelOf(type) },
          { title: 'Account', cell: ({ address }) => <AddressLink address={address} name={nameOf(address)} /> },
          { title: 'First ledger', cell: ({ start_ledger }) => <LedgerLink ledger={start_ledger} />, isNumber: true },
          { title: 'Lot now', cell: ({ start_ledger }) => numbers.percent(auctionProgress(start_ledger, ledger).lot), isNumber: true },
          { title: 'Bid now', cell: ({ start_ledger }) => numbers.percent(auctionProgress(start_ledger, ledger).bid), isNumber: true },
          { title: 'Lot left, at 100%', cell: ({ type, lot }) => <Amounts raw={lot} unit={LOT_OF[type]} enrichment={enrichment} /> },
          { title: 'Bid left, at 100%', cell: ({ type, bid }) => <Amounts raw={bid} unit={BID_OF[type]} enrichment={enrichment} /> },
        ]}
      />
      <p class="note">
        The lot grows to all in 200 ledgers, then the bid falls to none in 200 more. The account that fills it chooses the ledger. A fill
        may take a part; the rest stays open.
      </p>
    </>
  )
}

function Amounts({ raw, unit, enrichment }: { readonly raw: Auction['lot']; readonly unit: string; readonly enrichment: Enrichment }) {
  return (
    <>
      {Object.entries(raw).map(([asset, amount]) => {
        const known = enrichment.assets[asset]
        const decimals = known?.decimals ?? null
        return (
          <span key={asset} class="token" title={amount}>
            {decimals === null ? amount : numbers.amount(fromRaw(BigInt(amount), decimals))}{' '}
            <AssetLink assetId={asset} symbol={known?.symbol} /> {unit}
          </span>
        )
      })}
    </>
  )
}
