import { encodeSlice } from '@orrery/event-log'
import type { Slice } from '@orrery/protocol-kit'
import { beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { storedSlices, storedValues } from '../test/log-content.ts'
import { LogOver } from '../test/log-over.ts'
import { aWorld, type World } from '../test/world.ts'

const aFolder = temporaryFolders()
let world: World
beforeAll(async () => {
  world = await aWorld(aFolder)
})

describe('a restart', () => {
  it('a restart with an unchanged source appends nothing and ends at once', async () => {
    await using log = await world.log()
    await world.ingest(log)
    const ends = async (): Promise<bigint[]> => Promise.all([world.control, ...[0, 1, 2, 3].map(world.slices)].map((at) => log.end(at)))
    const before = await ends()
    await world.ingest(log)
    expect(await ends()).toEqual(before)
  })

  it('a restart with a source that has grown continues after the end of the log', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 70)) })
    expect((await world.contentOf(log)).last).toEqual({ kind: 'source_end', ledger: 1_000_069 })
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })

  it('a restart appends to a partition that is behind, and appends no ledger twice', async () => {
    await using log = await world.log()
    const slow = world.slices(2)
    // Partition 2 loses its writer in the middle of every batch but the first.
    let appends = 0
    const losing = new LogOver(log, async (to, values) => {
      if (to.topic === slow.topic && to.partition === slow.partition && ++appends > 5) throw new Error('gone')
      await log.append(to, values)
    })
    await expect(world.ingest(losing, { source: memorySource(world.ledgers.slice(0, 30), { last: null }) })).rejects.toThrow('gone')
    const before = await storedValues(log, world.slices(1))
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
    for (const partition of [0, 1, 3]) {
      const slices = await storedSlices(log, world.slices(partition))
      expect(slices.every((slice, n) => n === 0 || slice.after === slices[n - 1]?.ledger)).toBe(true)
    }
    expect((await storedValues(log, world.slices(1))).slice(0, before.length)).toEqual(before)
  })

  it('a restart continues after a slice whose writer died between its parts', async () => {
    await using log = await world.log()
    await world.ingest(log, { source: memorySource(world.ledgers.slice(0, 60)) })
    const [whole] = (await storedSlices(log, world.slices(0))).filter(({ records }) => records.length > 0)
    const parts = encodeSlice({ ...(whole as Slice), after: 1_000_059, ledger: 1_000_060 }, { maxPartBytes: 100 })
    expect(parts.length).toBeGreaterThan(2)
    await log.append(world.slices(0), parts.slice(0, -1))
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })

  it('a restart tracks contracts from the ledger that made them known, also when it appends earlier ledgers again', async () => {
    // All partitions but 3 are complete; partition 3 must not get records of pairs before they are announced.
    await using log = await world.log()
    const losing = new LogOver(log, async (to, values) => {
      if (to.topic === world.slices(3).topic && to.partition === 3) throw new Error('gone')
      await log.append(to, values)
    })
    await expect(world.ingest(losing)).rejects.toThrow('gone')
    await world.ingest(log)
    expect(await world.contentOf(log)).toEqual(world.expected)
  })
})
