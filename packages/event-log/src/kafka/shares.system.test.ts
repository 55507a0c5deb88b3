import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { withKafka } from '@orrery/testkit/kafka'
import { describe, expect, it } from 'vitest'
import type { EventLog, Share } from '../event-log.ts'
import { openLog } from '../open.ts'

const kafka = withKafka()
/** For tests in which a session expires. */
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

/** A worker that hands over at once. */
function worker(log: EventLog, topic: string) {
  const stop = new AbortController()
  const shares = log.shares(topic, GROUP, stop.signal)[Symbol.asyncIterator]()
  const next = async (): Promise<Share> => (await shares.next()).value
  return {
    next,
    /** The first share with this number of partitions. */
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
  it('one process gets all partitions, two get half each, and the one that remains gets all again', async () => {
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
    expect(halfOfFirst.partitions).toEqual([0, 1]) // it keeps its former partitions
    expect(halfOfSecond.partitions).toEqual([2, 3])

    await second.leave()
    await aborted(halfOfFirst.changed)
    expect((await first.next()).partitions).toEqual([0, 1, 2, 3])
    await first.leave()
  })

  it('each topic is divided separately, and a share waits for a topic that does not exist yet', async () => {
    await using log = await open()
    const topic = await aTopic(log)
    const [here, there] = [worker(log, topic), worker(log, `${topic}.later`)]
    expect((await here.next()).partitions).toHaveLength(4)
    const waiting = there.next()
    await log.ensureTopic(`${topic}.later`, { partitions: 2, retentionSeconds: null, retentionBytes: null })
    expect((await waiting).partitions).toHaveLength(2)
    await Promise.all([here.leave(), there.leave()])
  })

  it('a process that is suspended for longer than its session loses its partitions, and notices that when it resumes', {
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
      await aborted(taken.changed) // it joins as a new member
      expect((await taker.next()).partitions).toHaveLength(2)
      expect(await line()).toBe('2')
      await taker.leave()
    } finally {
      child.kill('SIGKILL')
    }
  })

  it('a share is lost when a session passes without an answer, and a new connection gets a share again', { timeout: 300_000 }, async () => {
    await using log = await openLog(`kafka:${kafka.broker.lineAddress}`, SHORT)
    const here = worker(log, await aTopic(log))
    const share = await here.next()
    kafka.broker.line.silence()
    await aborted(share.lost)
    expect((await here.until(4)).partitions).toEqual([0, 1, 2, 3])
    await here.leave()
  })

  it('a share survives a broker that is killed and restarted', { timeout: 300_000 }, async () => {
    await using log = await open(SHORT.sessionMs)
    const topic = await aTopic(log)
    const here = worker(log, topic)
    const share = await here.next()
    await kafka.broker.kill()
    await aborted(share.lost) // no answer for a session: others may have them
    await kafka.broker.restart()
    expect((await here.until(4)).partitions).toEqual([0, 1, 2, 3])
    await here.leave()
  })
})
