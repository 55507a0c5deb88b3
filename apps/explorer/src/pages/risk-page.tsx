// Positions with debts, the lowest health factor first: all below a threshold, of a protocol or of one pool.

import type { AccountPosition } from '@orrery/client'
import { apiCall } from '../api/api-call.ts'
import { contractNames, type NameOf } from '../api/contract-names.ts'
import { useAnswer } from '../api/use-answer.ts'
import { Block } from '../components/block.tsx'
import { AddressLink, PoolLink } from '../components/links.tsx'
import { Options } from '../components/options.tsx'
import { Page } from '../components/page.tsx'
import { Pager, useTrail } from '../components/pager.tsx'
import { PositionHealth } from '../components/status-mark.tsx'
import { type Column, Table } from '../components/table.tsx'
import { numbers } from '../format/number.ts'
import { DEBT_PROTOCOL_NAMES as PROTOCOLS } from '../format/protocol-name.ts'
import { useChoice, useParameter } from '../use-parameter.ts'

const PAGE_OF_POSITIONS = 25
const DEFAULT_THRESHOLD = '1.1'
const THRESHOLDS = ['1', '1.05', '1.1', '1.25', '1.5', '2', '5']

export function RiskPage() {
  const [protocol, setProtocol] = useChoice('protocol', PROTOCOLS, 'blend')
  const [pool, setPool] = useParameter('pool')
  const [text, setThreshold] = useParameter('below')
  const below = isThreshold(text) ? text : DEFAULT_THRESHOLD
  const pools = useAnswer(apiCall('pools', 'list', { protocol, limit: 100 })).answer?.data.pools ?? []
  const debtPools = pools.filter(({ type }) => type === 'lending' || type === 'vault')
  const chosenPool = debtPools.find(({ pool_id }) => pool_id === pool)
  const nameOf = (poolId: string): string => pools.find(({ pool_id }) => pool_id === poolId)?.name ?? ''
  const trail = useTrail(`${protocol} ${pool} ${below}`)
  const call = apiCall('protocols', 'accounts', protocol, {
    limit: PAGE_OF_POSITIONS,
    sort: 'health_factor',
    health_factor_below: below,
    ...(pool !== undefined && { pool }),
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  const controls = (
    <div class="controls">
      <label>
        Protocol
        <select
          value={protocol}
          onChange={({ currentTarget: { value } }) => {
            setPool(null)
            setProtocol(value === 'fxdao' ? 'fxdao' : 'blend')
          }}
        >
          <Options of={PROTOCOLS} />
        </select>
      </label>
      <label>
        Pool
        <select class="steady" value={pool ?? ''} onChange={({ currentTarget: { value } }) => setPool(value === '' ? null : value)}>
          <option value="">All</option>
          {pool !== undefined && chosenPool === undefined && <option value={pool}>{pool}</option>}
          {debtPools.map(({ pool_id, name }) => (
            <option key={pool_id} value={pool_id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        Health factor below
        <select value={below} onChange={({ currentTarget: { value } }) => setThreshold(value === DEFAULT_THRESHOLD ? null : value)}>
          {[...new Set([...THRESHOLDS, below])]
            .toSorted((one, other) => Number(one) - Number(other))
            .map((threshold) => (
              <option key={threshold} value={threshold}>
                {thresholdText(threshold)}
              </option>
            ))}
        </select>
      </label>
    </div>
  )
  return (
    <Page title="Positions at risk">
      <Block
        title="Positions"
        call={call}
        controls={controls}
        lines={PAGE_OF_POSITIONS}
        isUneven
        keepPrevious
        empty={({ data }) =>
          data.positions.length === 0 ? `No position has a health factor below ${thresholdText(below)} at this ledger.` : null
        }
      >
        {({ data, enrichment }) => (
          <>
            <Table
              label="Positions at risk"
              columns={columnsOf(nameOf, contractNames(enrichment))}
              rows={data.positions}
              keyOf={({ address, pool_id }) => `${address} ${pool_id}`}
            />
            <Pager trail={trail} nextCursor={data.next_cursor} about="positions" />
          </>
        )}
      </Block>
      <p class="dim">
        A position can be liquidated while its health factor is below 1. A debt without any collateral is bad debt, which is auctioned. The
        factor changes with prices and interest; each row is one account in one pool.
        {protocol === 'blend' &&
          ' Deposited includes supply and backstop shares, which secure no debt, and collateral counts with its collateral factor.'}
      </p>
    </Page>
  )
}

/** All digits of a threshold that has more than two: rounded it would be another one. */
function thresholdText(threshold: string): string {
  return /^\d+(\.\d{1,2})?$/.test(threshold) ? numbers.ratio(threshold) : threshold
}

function columnsOf(poolNameOf: (poolId: string) => string, nameOf: NameOf): Column<AccountPosition>[] {
  return [
    { title: 'Account', cell: ({ address }) => <AddressLink address={address} name={nameOf(address)} /> },
    { title: 'Health factor', cell: (position) => <PositionHealth position={position} /> },
    { title: 'Pool', cell: ({ pool_id }) => <PoolLink poolId={pool_id} name={poolNameOf(pool_id)} /> },
    { title: 'Deposited', cell: ({ deposited_usd }) => <Exact usd={deposited_usd} />, isNumber: true },
    { title: 'Owed', cell: ({ borrowed_usd }) => <Exact usd={borrowed_usd} />, isNumber: true },
    { title: 'Net', cell: ({ net_usd }) => <Exact usd={net_usd} />, isNumber: true },
    { title: 'Borrow limit used', cell: ({ borrow_limit_pct }) => numbers.percentOf(borrow_limit_pct), isNumber: true },
  ]
}

function Exact({ usd }: { readonly usd: string }) {
  return <span title={usd}>{numbers.usd(usd)}</span>
}

/** As the API takes it: a fraction such as `1.05`. */
function isThreshold(text: string | undefined): text is string {
  return text !== undefined && /^\d{1,6}(\.\d{1,8})?$/.test(text) && Number(text) > 0
}
