// docker-compose.yml as Compose reads it, as far as the services here need it: merged keys, variables with their defaults, `$$`.

import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const Words = z.array(z.string()).default([])
const Service = z.object({
  image: z.string(),
  profiles: Words,
  entrypoint: Words,
  command: Words,
  environment: z.record(z.string(), z.union([z.null().transform(() => ''), z.coerce.string()])).default({}),
  /** Names of files below /run/secrets, by the name of the secret. */
  secrets: z
    .array(
      z.union([z.string().transform((name) => ({ source: name, target: name })), z.object({ source: z.string(), target: z.string() })]),
    )
    .default([]),
  networks: z
    .union([z.array(z.string()), z.record(z.string(), z.object({ ipv4_address: z.string() })).transform((all) => Object.keys(all))])
    .default([]),
  healthcheck: z.object({ test: Words }).default({ test: [] }),
  deploy: z.object({ replicas: z.int() }).default({ replicas: 1 }),
})
export type ComposeService = z.output<typeof Service>

/** Services by name, with the variables of `.env.example` not set. */
export function readCompose(file: string): Readonly<Record<string, ComposeService>> {
  const text = readFileSync(file, 'utf8')
    .replace(/(?<!\$)\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll('$$', '$')
  const { services } = z.object({ services: z.record(z.string(), Service) }).parse(parse(text, { merge: true }))
  return services
}
