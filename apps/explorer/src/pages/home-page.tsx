// Home: every protocol with its value, the state of the index, and all pools.

import { useLocation } from 'preact-iso'
import { apiCall } from '../api/api-call.ts'
import { Block } from '../components/block.tsx'
import { IndexSummary } from '../components/index-summary.tsx'
import { Options } from '../components/options.tsx'
import { Page } from '../components/page.tsx'
import { Pager, useTrail } from '../components/pager.tsx'
import { PoolsTable } from '../components/pools-table.tsx'
import { ProtocolCard } from '../components/protocol-card.tsx'
import { PROTOCOL_NAMES } from '../format/protocol-name.ts'
import { BASE } from '../paths.ts'

const PAGE_OF_POOLS = 25
const SORTS = { tvl: 'TVL', volume: 'Volume 24 h', apy: 'Yield' } as const

export function HomePage() {
  return (
    <Page title="DeFi on Stellar">
      <Block title="Index" call={apiCall('service', 'index')} lines={3}>
        {({ data }) => <IndexSummary index={data} />}
      </Block>
      <Block title="Protocols" call={apiCall('protocols', 'list')} lines={6} fills="narrow">
        {({ data }) => (
          <ul class="cards">
            {data.protocols.map((protocol) => (
              <ProtocolCard key={protocol.protocol_id} protocol={protocol} />
            ))}
          </ul>
        )}
      </Block>
      <PoolsBlock />
    </Page>
  )
}

/** The filter and the order are in the address, so that a list can be shared. */
function PoolsBlock() {
  const { query, route } = useLocation()
  const sort = oneOf(SORTS, query.sort) ?? 'tvl'
  const protocol = oneOf(PROTOCOL_NAMES, query.protocol)
  const trail = useTrail(`${sort} ${protocol}`)
  const call = apiCall('pools', 'list', {
    limit: PAGE_OF_POOLS,
    sort,
    ...(protocol !== undefined && { protocol }),
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  const choose = (change: Readonly<Record<string, string>>): void => {
    const chosen = Object.entries({ protocol: protocol ?? '', sort, ...change }).filter(([, value]) => value !== '')
    route(`${BASE}?${new URLSearchParams(chosen)}`, true)
  }
  const controls = (
    <div class="controls">
      <label>
        Protocol
        <select value={protocol ?? ''} onChange={(event) => choose({ protocol: event.currentTarget.value })}>
          <option value="">All</option>
          <Options of={PROTOCOL_NAMES} />
        </select>
      </label>
      <label>
        Sort by
        <select value={sort} onChange={(event) => choose({ sort: event.currentTarget.value })}>
          <Options of={SORTS} />
        </select>
      </label>
    </div>
  )
  return (
    <Block
      title="Pools"
      call={call}
      controls={controls}
      lines={PAGE_OF_POOLS}
      keepPrevious
      empty={({ data }) => (data.pools.length === 0 ? 'No pool is indexed yet.' : null)}
    >
      {({ data }) => (
        <>
          <PoolsTable pools={data.pools} isOneProtocol={protocol !== undefined} />
          <Pager trail={trail} nextCursor={data.next_cursor} about="pools" />
        </>
      )}
    </Block>
  )
}

function oneOf<Choices extends object>(choices: Choices, chosen: string | undefined): keyof Choices | undefined {
  return chosen !== undefined && Object.hasOwn(choices, chosen) ? (chosen as keyof Choices) : undefined
}
