import { expect, it } from 'vitest'
import { isLoopback } from '../src/index.ts'

it.each([
  'http://127.0.0.1:8080',
  'http://127.1',
  'http://127.9.9.9/api',
  'http://localhost',
  'https://LOCALHOST:1',
  'http://[::1]:8080',
  'http://0x7f.1',
])('%s is on this machine', (url) => expect(isLoopback(new URL(url))).toBe(true))

it.each([
  ...['http://128.0.0.1', 'http://0.0.0.0', 'http://10.0.0.1', 'http://[::2]', 'http://localhost.example', 'http://127.0.0.1.example'],
  ...['http://127.0.0.1@example.org', 'https://api.example.org/127.0.0.1', 'http://[::]', 'http://locаlhost'],
])('%s is not known to be on this machine', (url) => expect(isLoopback(new URL(url))).toBe(false))
