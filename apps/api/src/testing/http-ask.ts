// One HTTP request, exactly as written. `fetch` would tidy paths, add headers and decode bodies: here those are what is tested.

import { request } from 'node:http'

export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

/** `path` goes over the wire as it is: `/v1//health?x=1`. */
export function httpAsk(baseUrl: string, path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<HttpAnswer> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string | undefined>,
          bytes: Buffer.concat(chunks),
        })
      })
    })
    asking.on('error', reject)
    asking.end(body)
  })
}
