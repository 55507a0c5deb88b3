// Clients that never wait, in a thread of their own: reading large answers does not delay what the main thread measures. The thread runs until it is ended.

import { parentPort, Worker, workerData } from 'node:worker_threads'

interface Load {
  readonly url: string
  readonly apiKey: string
  /** Asked for in turn by all clients together. */
  readonly paths: readonly string[]
  readonly clients: number
}

export interface Busy extends AsyncDisposable {
  /** Answers so far, by their status. */
  readonly answers: ReadonlyMap<number, number>
}

export function busyClients(load: Load): Busy {
  const answers = new Map<number, number>()
  const worker = new Worker(new URL(import.meta.url), { workerData: load })
  worker.on('message', (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1))
  worker.on('error', (error) => {
    throw error
  })
  return {
    answers,
    async [Symbol.asyncDispose]() {
      await worker.terminate()
    },
  }
}

async function client({ url, apiKey, paths }: Load, next: () => number): Promise<never> {
  for (;;) {
    const path = paths[next() % paths.length] ?? ''
    const response = await fetch(`${url}${path}`, { headers: { 'x-service-api-key': apiKey } })
    await response.arrayBuffer()
    parentPort?.postMessage(response.status)
  }
}

if (parentPort !== null) {
  const load = workerData as Load
  let asked = 0
  await Promise.all(Array.from({ length: load.clients }, () => client(load, () => asked++)))
}
