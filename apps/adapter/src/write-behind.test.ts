import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BatchGroup, WriteBehind } from './write-behind.ts'

const ONLY_FULL = { maxWeight: 3, maxAgeMs: 60_000, quietMs: 30_000 }

describe('write-behind', () => {
  it('a write-behind collects the next batch while one is being stored, and never stores two at once', async () => {
    const sent: number[][] = []
    const gate = Promise.withResolvers<void>()
    const behind = new WriteBehind<number>(
      async (batch) => {
        sent.push([...batch])
        await gate.promise
      },
      ONLY_FULL,
      () => undefined,
    )
    for (const n of [1, 2, 3, 4, 5]) await behind.add(n, 1)
    expect(sent).toEqual([[1, 2, 3]])
    const full = behind.add(6, 1)
    expect(sent).toEqual([[1, 2, 3]])
    gate.resolve()
    await full
    expect(sent).toEqual([
      [1, 2, 3],
      [4, 5, 6],
    ])
    await behind.drain()
  })

  it('a write-behind stores everything once and in order, whatever the weight of the items', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5)), async (weights) => {
        const stored: number[] = []
        const behind = new WriteBehind<number>(
          async (batch) => void stored.push(...batch),
          ONLY_FULL,
          () => undefined,
        )
        for (const [n, weight] of weights.entries()) await behind.add(n, weight)
        await behind.drain()
        expect(stored).toEqual([...weights.keys()])
      }),
    )
  })

  it('a write-behind stores a batch that is not full when nothing is added for a while', async () => {
    const stored = Promise.withResolvers<readonly number[]>()
    const behind = new WriteBehind<number>(
      async (batch) => stored.resolve(batch),
      { maxWeight: 100, maxAgeMs: 60_000, quietMs: 1 },
      () => undefined,
    )
    await behind.add(7, 1)
    expect(await stored.promise).toEqual([7])
    await behind.drain()
  })

  it('a write-behind whose batch does not grow keeps it while history is being written, and stores it when that has ended', async () => {
    const sent: number[][] = []
    const stored = Promise.withResolvers<void>()
    let isWriting = true
    const behind = new WriteBehind<number>(
      async (batch) => {
        sent.push([...batch])
        stored.resolve()
      },
      { maxWeight: 100, maxAgeMs: 60_000, quietMs: 1 },
      () => undefined,
      () => isWriting,
    )
    await behind.add(7, 1)
    await sleep(20)
    expect(sent).toEqual([])
    isWriting = false
    await stored.promise
    expect(sent).toEqual([[7]])
  })

  it('a write-behind stores the newest item soon, and with it what is collected while the batch before it is being stored', async () => {
    const sent: number[][] = []
    const gate = Promise.withResolvers<void>()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const behind = new WriteBehind<number>(
      async (batch) => {
        sent.push([...batch])
        if (sent.length === 1) first.resolve()
        else second.resolve()
        await gate.promise
      },
      { ...ONLY_FULL, maxWeight: 100 },
      () => undefined,
    )
    await behind.add(1, 1)
    await behind.add(2, 1, true)
    await first.promise
    await behind.add(3, 1, true)
    await behind.add(4, 1)
    // Longer than the newest item waits: the batch before it is still being stored.
    await sleep(60)
    expect(sent).toEqual([[1, 2]])
    gate.resolve()
    await second.promise
    expect(sent).toEqual([
      [1, 2],
      [3, 4],
    ])
    await behind.drain()
    expect(sent).toHaveLength(2)
  })

  it('write-behinds of a group store their batches together, when these are full together', async () => {
    const sent: (readonly number[])[] = []
    const limits = { ...ONLY_FULL, group: new BatchGroup() }
    const [one, two] = [0, 1].map(
      () =>
        new WriteBehind<number>(
          async (batch) => void sent.push(batch),
          limits,
          () => undefined,
        ),
    ) as [WriteBehind<number>, WriteBehind<number>]
    await one.add(1, 1)
    await two.add(2, 1)
    expect(sent).toEqual([])
    await one.add(3, 1)
    expect(sent).toEqual([[1, 3], [2]])
    // What was stored or discarded counts no longer.
    await one.add(4, 2)
    await one.abandon()
    await two.add(5, 2)
    expect(sent).toHaveLength(2)
    await two.drain()
    expect(sent).toEqual([[1, 3], [2], [5]])
  })

  it('a write-behind whose batch is still being stored does not make the others of its group store small batches', async () => {
    const sent: (readonly number[])[] = []
    const gate = Promise.withResolvers<void>()
    const limits = { ...ONLY_FULL, group: new BatchGroup() }
    const slow = new WriteBehind<number>(
      async (batch) => {
        sent.push(batch)
        await gate.promise
      },
      limits,
      () => undefined,
    )
    const other = new WriteBehind<number>(
      async (batch) => void sent.push(batch),
      limits,
      () => undefined,
    )
    await slow.add(1, 3)
    const waiting = slow.add(2, 3) // full again, and waits
    for (const n of [3, 4]) await other.add(n, 1)
    expect(sent).toEqual([[1]])
    await other.add(5, 1)
    expect(sent).toEqual([[1], [3, 4, 5]])
    gate.resolve()
    await waiting
    expect(sent).toEqual([[1], [3, 4, 5], [2]])
    await slow.drain()
  })

  it('a write-behind that another of its group has filled waits before it adds more', async () => {
    const sent: (readonly number[])[] = []
    const gate = Promise.withResolvers<void>()
    const limits = { ...ONLY_FULL, group: new BatchGroup() }
    const behind = (store: (batch: readonly number[]) => Promise<void>) => new WriteBehind<number>(store, limits, () => undefined)
    const slow = behind(async (batch) => {
      sent.push(batch)
      await gate.promise
    })
    const other = behind(async (batch) => void sent.push(batch))
    await slow.add(1, 3)
    await slow.add(2, 1)
    await other.add(3, 2)
    expect(sent).toEqual([[1], [3]])
    const waiting = slow.add(4, 1)
    gate.resolve()
    await waiting
    expect(sent).toEqual([[1], [3], [2]])
    await slow.drain()
    expect(sent).toEqual([[1], [3], [2], [4]])
  })

  it('write-behinds of a group store their batches together, when one of these is old', async () => {
    const sent: (readonly number[])[] = []
    const stored = Promise.withResolvers<void>()
    const group = new BatchGroup()
    const behind = (maxAgeMs: number, quietMs: number) =>
      new WriteBehind<number>(
        async (batch) => {
          sent.push(batch)
          if (sent.length === 2) stored.resolve()
        },
        { maxWeight: 100, maxAgeMs, quietMs, group },
        () => undefined,
        () => true,
      )
    await behind(20, 10).add(1, 1)
    await behind(60_000, 30_000).add(2, 1) // by itself, it would be stored a minute later
    await stored.promise
    expect(sent).toEqual([[1], [2]])
  })

  it('write-behinds of a group go on when one of them fails, and what that had collected counts no longer', async () => {
    const sent: (readonly number[])[] = []
    const limits = { ...ONLY_FULL, group: new BatchGroup() }
    const gate = Promise.withResolvers<void>()
    const failing = new WriteBehind<number>(
      () => gate.promise,
      limits,
      () => undefined,
    )
    const other = new WriteBehind<number>(
      async (batch) => void sent.push(batch),
      limits,
      () => undefined,
    )
    await failing.add(1, 3)
    await failing.add(2, 2)
    gate.reject(new Error('no space left'))
    await expect(failing.drain()).rejects.toThrow('no space left')
    for (const n of [3, 4]) await other.add(n, 1)
    expect(sent).toEqual([])
    await other.add(5, 1)
    expect(sent).toEqual([[3, 4, 5]])
  })

  it('a write-behind reports a failure at once, throws it at the next call, and stores nothing after it', async () => {
    const sent: number[] = []
    const reported = Promise.withResolvers<void>()
    const behind = new WriteBehind<number>(
      async ([first]) => {
        sent.push(first ?? 0)
        throw new Error('no space left')
      },
      { ...ONLY_FULL, maxWeight: 1 },
      reported.resolve,
    )
    await behind.add(1, 1)
    await reported.promise
    await expect(behind.add(2, 1)).rejects.toThrow('no space left')
    await expect(behind.drain()).rejects.toThrow('no space left')
    expect(sent).toEqual([1])
  })

  it('an abandoned write-behind discards what was collected, after the batch that is being stored has ended', async () => {
    const sent: number[][] = []
    const behind = new WriteBehind<number>(
      async (batch) => void sent.push([...batch]),
      ONLY_FULL,
      () => undefined,
    )
    for (const n of [1, 2, 3, 4]) await behind.add(n, 1)
    await behind.abandon()
    await behind.drain()
    expect(sent).toEqual([[1, 2, 3]])
  })
})
