// Lets other work run during long synchronous loops (folding, extracting, large answers), which would otherwise block sockets and timers. Work in the
// background takes the turns that other work leaves.

import { AsyncLocalStorage } from 'node:async_hooks'

/** The longest time that a loop runs without a pause. */
const LONGEST_WORK_MS = 8
/** The longest time that work in the background waits for work before it: it ends also where there is always some. */
const LONGEST_WAIT_MS = 10

const background = new AsyncLocalStorage<true>()
/** Work in the background that waits for its turn, the longest first. */
const waiting: (() => void)[] = []
let before = 0
let timer: NodeJS.Timeout | null = null

/** While it runs, work in the background waits. */
export async function beforeBackground<T>(work: () => Promise<T>): Promise<T> {
  before++
  try {
    return await work()
  } finally {
    before--
    if (before === 0 && timer !== null) schedule()
  }
}

/** Runs work whose turns of the event loop come after those of other work: one piece of all of it at a time, and none for some milliseconds while work is before it. */
export function inBackground<T>(work: () => Promise<T>): Promise<T> {
  return background.run(true, work)
}

/** Runs work for which others may wait: it is not in the background, whatever began it. */
export function outOfBackground<T>(work: () => Promise<T>): Promise<T> {
  return background.exit(work)
}

/** Resolves after the work that waits in the event loop, and in the background when it is its turn. */
export function turnOfEventLoop(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (background.getStore() === undefined) setImmediate(resolve)
  else if (waiting.push(resolve) === 1) schedule()
  return promise
}

function schedule(): void {
  if (timer !== null) clearTimeout(timer)
  timer = null
  if (before === 0) setImmediate(next)
  else timer = setTimeout(next, LONGEST_WAIT_MS)
}

function next(): void {
  timer = null
  waiting.shift()?.()
  if (waiting.length > 0) schedule()
}

/**
 * The returned function resolves at once until `longestWorkMs` have passed since its last pause, and then in a turn of the event loop.
 */
export function yieldToEventLoop(longestWorkMs = LONGEST_WORK_MS): () => Promise<void> {
  let workingSinceMs = performance.now()
  return async () => {
    if (performance.now() - workingSinceMs < longestWorkMs) return
    await turnOfEventLoop()
    workingSinceMs = performance.now()
  }
}
