// Publishes changes of access to all instances, so that they drop cached entries. It is a hint: an instance that misses a message
// sees the change within five seconds, when its cache expires.

import type { Redis } from 'ioredis'

/** The cached entries to drop: a key by its prefix, all keys of an organization, or everything. */
export type AccessChange = { readonly prefix: string } | { readonly organizationId: string } | 'everything'

export interface AccessBus extends AsyncDisposable {
  /** Publishes to all other instances. Rejects when Redis is not reachable. */
  publish(change: AccessChange): Promise<void>
  /** Calls `listener` for each change of other instances; with `everything` whenever a message may have been missed. */
  subscribe(listener: (change: AccessChange) => void): void
}

/** For a single process. */
export function silentBus(): AccessBus {
  return { publish: async () => undefined, subscribe: () => undefined, [Symbol.asyncDispose]: async () => undefined }
}

const CHANNEL = 'orrery:access'

/** `redis` publishes; a separate connection subscribes, as Redis requires. The caller closes `redis`; disposal closes the other. */
export function redisBus(redis: Redis): AccessBus {
  const listeners: ((change: AccessChange) => void)[] = []
  const announce = (change: AccessChange) => {
    for (const listener of listeners) listener(change)
  }
  const subscriber = redis.duplicate()
  subscriber.on('error', () => undefined) // it reconnects by itself; missed messages are covered by `everything`
  const listen = async () => {
    await subscriber.subscribe(CHANNEL)
    announce('everything')
  }
  // Refused when the connection breaks at that moment: the next one that is ready subscribes again.
  subscriber.on('ready', () => void listen().catch(() => undefined))
  subscriber.on('message', (_channel, text) => announce(changeOf(text)))
  if (subscriber.status === 'ready') void listen().catch(() => undefined)
  return {
    publish: async (change) => void (await redis.publish(CHANNEL, JSON.stringify(change))),
    subscribe: (listener) => void listeners.push(listener),
    [Symbol.asyncDispose]: async () => subscriber.disconnect(),
  }
}

/** An unknown message comes from a newer build or another program: dropping everything is safe and costs a few queries. */
function changeOf(text: string): AccessChange {
  try {
    const change: unknown = JSON.parse(text)
    if (typeof change !== 'object' || change === null) return 'everything'
    if ('prefix' in change && typeof change.prefix === 'string') return { prefix: change.prefix }
    if ('organizationId' in change && typeof change.organizationId === 'string') return { organizationId: change.organizationId }
    return 'everything'
  } catch {
    return 'everything'
  }
}
