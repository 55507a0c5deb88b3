// Home: the state of the index, every protocol with its value and emissions, the volume of all pools, and the pools.

import { apiCall } from '../api/api-call.ts'
import { Block } from '../components/block.tsx'
import { IndexSummary } from '../components/index-summary.tsx'
import { Page } from '../components/page.tsx'
import { PoolsBlock } from '../components/pools-block.tsx'
import { ProtocolCard } from '../components/protocol-card.tsx'
import { VolumeBlock } from '../components/volume-block.tsx'

export function HomePage() {
  return (
    <Page title="DeFi on Stellar">
      <Block title="Index" call={apiCall('service', 'index')} lines={4} shape="figures">
        {({ data }) => <IndexSummary index={data} />}
      </Block>
      <Block title="Protocols" call={apiCall('protocols', 'list')} lines={4} shape="cards" fills="narrow">
        {({ data }) => (
          <ul class="cards">
            {data.protocols.map((protocol) => (
              <ProtocolCard key={protocol.protocol_id} protocol={protocol} />
            ))}
          </ul>
        )}
      </Block>
      <VolumeBlock />
      <PoolsBlock lines={25} />
    </Page>
  )
}
