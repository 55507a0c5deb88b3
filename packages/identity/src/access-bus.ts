// How instances tell each other that something about access has changed, so that none goes by what it remembers. A hint: who does not hear it
// knows within five seconds by itself.

import type { Redis } from 'ioredis'

/** What must not be remembered any more: a key by its prefix, all keys of an organization, or everything. */
export type AccessChange = { readonly prefix: string } | { readonly organizationId: string } | 'everything'

export interface AccessBus extends AsyncDisposable {
  /** Tells all other instances. Rejects when nobody can be told. */
  tell(change: AccessChange): Promise<void>
  /** Calls `listener` for what others tell; with `everything` whenever something may have been missed. */
  hear(listener: (change: AccessChange) => void): void
}

/** Of a process that is alone. */
export function silentBus(): AccessBus {
  return { tell: async () => undefined, hear: () => undefined, [Symbol.asyncDispose]: async () => undefined }
}

const CHANNEL = 'orrery:access'

/** `redis` publishes; a connection of its own listens, because Redis wants it so. Both are closed by who opened them and by this. */
export function redisBus(redis: Redis): AccessBus {
  const listeners: ((change: AccessChange) => void)[] = []
  const announce = (change: AccessChange) => {
    for (const listener of listeners) listener(change)
  }
  const ears = redis.duplicate()
  ears.on('error', () => undefined) // it tries again by itself; what was missed in between is answered by `everything`
  const listen = async () => {
    await ears.subscribe(CHANNEL)
    announce('everything')
  }
  // Refused when the connection breaks at that moment: the next one that is ready subscribes again.
  ears.on('ready', () => void listen().catch(() => undefined))
  ears.on('message', (_channel, text) => announce(changeOf(text)))
  if (ears.status === 'ready') void listen().catch(() => undefined)
  return {
    tell: async (change) => void (await redis.publish(CHANNEL, JSON.stringify(change))),
    hear: (listener) => void listeners.push(listener),
    [Symbol.asyncDispose]: async () => ears.disconnect(),
  }
}

/** A word that we do not understand is of a newer build, or of a stranger: forgetting everything is safe and costs a few look-ups. */
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
