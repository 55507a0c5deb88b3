import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { withKafka } from '@orrery/testkit/kafka'
import { describe, expect, it } from 'vitest'
import type { EventLog, Share } from '../event-log.ts'
import { openLog } from '../open.ts'

const kafka = withKafka()
/** Where a session shall run out. */
const SHORT = { sessionMs: 5_000 }
const open = (sessionMs = 15_000): Promise<EventLog> => openLog(`kafka:${kafka.broker.address}`, { sessionMs })
const aborted = async (signal: AbortSignal): Promise<unknown> => signal.aborted || once(signal, 'abort')
const GROUP = 'soroswap-v1'

let topics = 0
async function aTopic(log: EventLog): Promise<string> {
  const topic = `shares.${process.pid}.${topics++}`
  await log.ensureTopic(topic, { partitions: 4, retentionSeconds: null, retentionBytes: null })
  return topic
}

/** A worker that hands over as soon as it is asked to. */
function worker(log: EventLog, topic: string) {
  const stop = new AbortController()
  const shares = log.shares(topic, GROUP, stop.signal)[Symbol.asyncIterator]()
  const next = async (): Promise<Share> => (await shares.next()).value
  return {
    next,
    /** The first share with so many partitions. */
    async until(count: number): Promise<Share> {
      for (let share = await next(); ; share = await next()) {
        if (share.partitions.length === count) return share
        await aborted(share.changed)
      }
    },
    async leave(): Promise<void> {
      stop.abort()
      expect(await shares.next()).toMatchObject({ done: true })
    },
  }
}

describe('sharing the partitions of a topic', () => {
  it('gives one process all of them, two processes half each, and all back to the one that stays', async () => {
    await using log = await open()
    await using other = await open()
    const topic = await aTopic(log)
    const first = worker(log, topic)
    const alone = await first.next()
    expect(alone.partitions).toEqual([0, 1, 2, 3])

    const second = worker(other, topic)
    const joining = second.next() // waits until the first one has handed over
    await aborted(alone.changed)
    expect(alone.lost.aborted).toBe(false)
    const [halfOfFirst, halfOfSecond] = await Promise.all([first.next(), joining])
    expect(halfOfFirst.partitions).toEqual([0, 1]) // what it had, it keeps
    expect(halfOfSecond.partitions).toEqual([2, 3])

    await second.leave()
    await aborted(halfOfFirst.changed)
    expect((await first.next()).partitions).toEqual([0, 1, 2, 3])
    await first.leave()
  })

  it('divides each topic by itself, and waits for one that nobody made yet', async () => {
    await using log = await open()
    const topic = await aTopic(log)
    const [here, there] = [worker(log, topic), worker(log, `${topic}.later`)]
    expect((await here.next()).partitions).toHaveLength(4)
    const waiting = there.next()
    await log.ensureTopic(`${topic}.later`, { partitions: 2, retentionSeconds: null, retentionBytes: null })
    expect((await waiting).partitions).toHaveLength(2)
    await Promise.all([here.leave(), there.leave()])
  })

  it('takes the partitions of a process that was paused for longer than its session; awake, that one knows that it lost them', {
    timeout: 300_000,
  }, async () => {
    await using log = await open()
    const topic = await aTopic(log)
    const program = `
      const { openLog } = await import(${JSON.stringify(new URL('../open.ts', import.meta.url).href)})
      const log = await openLog(${JSON.stringify(`kafka:${kafka.broker.address}`)}, ${JSON.stringify(SHORT)})
      for await (const share of log.shares(${JSON.stringify(topic)}, ${JSON.stringify(GROUP)}, new AbortController().signal)) {
        console.log(share.partitions.length)
        await new Promise((resolve) => share.changed.addEventListener('abort', resolve))
        console.log(share.lost.aborted ? 'lost' : 'handed over')
      }`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const line = async (): Promise<unknown> => (await lines.next()).value
    try {
      expect(await line()).toBe('4')
      child.kill('SIGSTOP')
      const taker = worker(log, topic)
      const taken = await taker.until(4)
      child.kill('SIGCONT')
      expect(await line()).toBe('lost')
      await aborted(taken.changed) // it comes back as a new one
      expect((await taker.next()).partitions).toHaveLength(2)
      expect(await line()).toBe('2')
      await taker.leave()
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('is lost when nobody answers for a session, and is had again over a new connection', { timeout: 300_000 }, async () => {
    await using log = await openLog(`kafka:${kafka.broker.lineAddress}`, SHORT)
    const here = worker(log, await aTopic(log))
    const share = await here.next()
    kafka.broker.line.silence()
    await aborted(share.lost)
    expect((await here.until(4)).partitions).toEqual([0, 1, 2, 3])
    await here.leave()
  })

  it('outlives a broker that is killed and started again', { timeout: 300_000 }, async () => {
    await using log = await open(SHORT.sessionMs)
    const topic = await aTopic(log)
    const here = worker(log, topic)
    const share = await here.next()
    await kafka.broker.kill()
    await aborted(share.lost) // nobody answered for a session: others may have them
    await kafka.broker.restart()
    expect((await here.until(4)).partitions).toEqual([0, 1, 2, 3])
    await here.leave()
  })
})
