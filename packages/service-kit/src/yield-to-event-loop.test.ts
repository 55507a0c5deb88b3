import { setImmediate } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { beforeBackground, inBackground, outOfBackground, turnOfEventLoop, yieldToEventLoop } from './yield-to-event-loop.ts'

const TURNS = 5

/** Takes some turns one after the other, and notes each. */
async function turns(name: string, taken: string[], count = TURNS): Promise<void> {
  for (let n = 0; n < count; n++) {
    await turnOfEventLoop()
    taken.push(name)
  }
}

/** Work that is before the background until it is ended. */
function heldWork(): { end(): Promise<void> } {
  const held = Promise.withResolvers<void>()
  const running = beforeBackground(() => held.promise)
  return {
    async end() {
      held.resolve()
      await running
    },
  }
}

afterEach(() => void vi.useRealTimers())

describe('turns of the event loop', () => {
  it('of work in the background come one at a time: other work runs between any two', async () => {
    const taken: string[] = []
    let isOver = false
    const others = (async () => {
      for (; !isOver; await setImmediate()) taken.push('other')
    })()
    await Promise.all(['a', 'b', 'c'].map((name) => inBackground(() => turns(name, taken))))
    isOver = true
    await others
    expect(taken.filter((name) => name !== 'other')).toEqual(Array.from({ length: TURNS }, () => ['a', 'b', 'c']).flat())
    expect(taken.join(' ')).not.toMatch(/[abc] [abc]/)
  })

  it('of work in the background wait while other work is before it, which takes its own at once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const taken: string[] = []
    const held = heldWork()
    const background = inBackground(() => turns('background', taken, 1))
    await turns('before', taken)
    expect(taken).toEqual(Array(TURNS).fill('before'))
    await held.end()
    await background
    expect(taken).toEqual([...Array(TURNS).fill('before'), 'background'])
  })

  it('come to the background also while other work is always before it', async () => {
    const taken: string[] = []
    const held = heldWork()
    await inBackground(() => turns('background', taken))
    expect(taken).toHaveLength(TURNS)
    await held.end()
  })

  it('come at once when the last work before the background has failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const failing = beforeBackground(async () => {
      await setImmediate()
      throw new Error('failed')
    })
    const background = inBackground(turnOfEventLoop)
    await expect(failing).rejects.toThrow('failed')
    await background
  })
})

it('work for which others may wait takes its turns at once, whatever began it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const taken: string[] = []
  const held = heldWork()
  await inBackground(() => outOfBackground(() => turns('shared', taken)))
  expect(taken).toHaveLength(TURNS)
  await held.end()
})

describe('a long loop', () => {
  it('pauses after the time that it may take, and not before', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let hasRun = false
    const pause = yieldToEventLoop(1)
    const other = setImmediate().then(() => {
      hasRun = true
    })
    await pause()
    expect(hasRun).toBe(false)
    vi.advanceTimersByTime(1)
    await pause()
    await other
    expect(hasRun).toBe(true)
  })
})
