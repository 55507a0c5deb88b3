// The list of pools with filters and an order, of all protocols or of one. All of them are in the address, so that a list can be shared.

import { apiCall } from '../api/api-call.ts'
import { numbers } from '../format/number.ts'
import { DEBT_PROTOCOL_NAMES, PROTOCOL_NAMES, type ProtocolId } from '../format/protocol-name.ts'
import { riskPath } from '../paths.ts'
import { isUsd, POOL_STATUS_NAMES, poolTypeNames } from '../pools/filters.ts'
import { useChoice, useParameter } from '../use-parameter.ts'
import { Block } from './block.tsx'
import { Options } from './options.tsx'
import { Pager, useTrail } from './pager.tsx'
import { PoolsTable } from './pools-table.tsx'

const PAGE_OF_POOLS = 25
const SORTS = { tvl: 'TVL', volume: 'Volume 24\u00a0h', apy: 'Yield' } as const
const LEAST_TVLS = ['1000', '10000', '100000', '1000000']
/** The value of a filter that is off. */
const ALL = ''

interface PoolsBlockProps {
  /** Of the page. Undefined: pools of all protocols, with a filter. */
  readonly protocol?: ProtocolId
  /** How many lines the data will probably have. */
  readonly lines: number
}

export function PoolsBlock({ protocol: ofPage, lines }: PoolsBlockProps) {
  const [chosen, setProtocol] = useFilter('protocol', PROTOCOL_NAMES)
  const protocol = ofPage ?? (chosen as ProtocolId | undefined)
  const types = poolTypeNames(protocol)
  const [type, setType] = useFilter('type', types)
  const [status, setStatus] = useFilter('status', POOL_STATUS_NAMES)
  const [leastText, setLeast] = useParameter('min_tvl_usd')
  const least = isUsd(leastText) ? leastText : undefined
  const [sort, setSort] = useChoice('sort', SORTS, 'tvl')
  const filters = {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(least !== undefined && { min_tvl_usd: least }),
  }
  const trail = useTrail(JSON.stringify([sort, protocol, filters]))
  const call = apiCall('pools', 'list', {
    limit: PAGE_OF_POOLS,
    sort,
    ...(protocol !== undefined && { protocol }),
    ...filters,
    ...(trail.cursor !== undefined && { cursor: trail.cursor }),
  })
  const leastChoices = [...new Set([...LEAST_TVLS, ...(least === undefined ? [] : [least])])]
    .toSorted((one, other) => Number(one) - Number(other))
    .map((usd) => [usd, numbers.usdAxis(Number(usd))])
  const controls = (
    <div class="controls">
      {ofPage === undefined && <Filter name="Protocol" choices={PROTOCOL_NAMES} chosen={chosen} onChoose={setProtocol} />}
      {Object.keys(types).length > 1 && <Filter name="Type" choices={types} chosen={type} onChoose={setType} />}
      <Filter name="Status" choices={POOL_STATUS_NAMES} chosen={status} onChoose={setStatus} />
      <Filter name="TVL from" all="Any" choices={leastChoices} chosen={least} onChoose={setLeast} />
      <label>
        Sort by
        <select value={sort} onChange={({ currentTarget: { value } }) => setSort(value as keyof typeof SORTS)}>
          <Options of={SORTS} />
        </select>
      </label>
      {ofPage !== undefined && Object.hasOwn(DEBT_PROTOCOL_NAMES, ofPage) && <a href={riskPath(ofPage)}>Positions at risk</a>}
    </div>
  )
  const nothing =
    Object.keys(filters).length > 0
      ? 'No pool matches these filters.'
      : protocol === undefined
        ? 'No pool is indexed yet.'
        : 'No pool of this protocol is indexed.'
  return (
    <Block
      title="Pools"
      call={call}
      controls={controls}
      lines={lines}
      keepPrevious
      empty={({ data }) => (data.pools.length === 0 ? nothing : null)}
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

/** A parameter that is one of several words, or absent. */
function useFilter(name: string, choices: Readonly<Record<string, string>>) {
  const [value, change] = useParameter(name)
  return [value !== undefined && Object.hasOwn(choices, value) ? value : undefined, change] as const
}

interface FilterProps {
  readonly name: string
  /** Of the choice that leaves nothing out. */
  readonly all?: string
  /** Names by value; as a list where the values are numbers, which an object would reorder. */
  readonly choices: Readonly<Record<string, string>> | readonly (readonly string[])[]
  readonly chosen: string | undefined
  readonly onChoose: (value: string | null) => void
}

function Filter({ name, all = 'All', choices, chosen, onChoose }: FilterProps) {
  const entries = Array.isArray(choices) ? choices : Object.entries(choices)
  return (
    <label>
      {name}
      <select value={chosen ?? ALL} onChange={({ currentTarget: { value } }) => onChoose(value === ALL ? null : value)}>
        <option value={ALL}>{all}</option>
        {entries.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}
