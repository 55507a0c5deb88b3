// Volume of swaps: of all pools, or of those of one protocol.

import { apiCall } from '../api/api-call.ts'
import { numbers } from '../format/number.ts'
import { type ProtocolId, protocolName } from '../format/protocol-name.ts'
import { protocolPath } from '../paths.ts'
import { ofAmms, totalVolume, volumeByProtocol } from '../pools/total-volume.ts'
import { Block } from './block.tsx'
import { Figures } from './figures.tsx'

/** The largest page of the list: one request. */
const MOST_POOLS = 100

/** @param protocol Undefined: all, each with its part. */
export function VolumeBlock({ protocol }: { readonly protocol?: ProtocolId }) {
  return (
    <Block
      title="Volume"
      call={apiCall('pools', 'list', { limit: MOST_POOLS, sort: 'volume', ...(protocol !== undefined && { protocol }) })}
      lines={protocol === undefined ? 4 : 2}
      shape="figures"
      isUneven={protocol !== undefined}
      select={ofAmms}
      empty={({ data }) =>
        totalVolume(data) !== null
          ? null
          : protocol === undefined
            ? 'No pool is an AMM, so there is no volume.'
            : 'No pool of this protocol is an AMM, so there is no volume.'
      }
    >
      {({ data }) => {
        const total = totalVolume(data)
        if (total === null) return null
        const counted = total.isWhole
          ? `sum of ${numbers.count(total.poolCount, 'pool')}`
          : `not all: ${numbers.count(total.poolCount, 'pool')} with the most`
        return (
          <Figures
            figures={[
              { name: 'Volume 24\u00a0h', value: <Usd of={total.day} />, note: counted },
              {
                name: 'Volume 7\u00a0d',
                value: <Usd of={total.week} />,
                note: total.isWholeWeek ? 'of the same pools' : 'not all: of these pools',
              },
              ...(protocol === undefined ? volumeByProtocol(data.pools) : []).map(([id, usd]) => ({
                name: protocolName(id),
                value: <Usd of={usd} />,
                note: (
                  <>
                    <a href={protocolPath(id)}>{protocolName(id)}</a> in 24{'\u00a0'}h
                  </>
                ),
              })),
            ]}
          />
        )
      }}
    </Block>
  )
}

function Usd({ of }: { readonly of: string }) {
  return <span title={of}>{numbers.usdShort(of)}</span>
}
