import { expect, it } from 'vitest'
import { isPublicAddress, webhookUrlProblem } from './webhook-url.ts'

// Special-purpose addresses of IANA: https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry.
it.each([
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.168.0.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::1', '100::1', '2001::1'],
  ...['2001:db8::1', '2002:7f00:1::', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '3fff::1', '5f00::1'],
  ...['', 'example.org', '1.2.3', '2130706433.'],
])('no webhook is sent to the address %j', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

it.each(['1.1.1.1', '8.8.8.8', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:81b::200e'])(
  'a webhook may be sent to the address %s',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

it.each([
  ['https://user:pass@example.org/', /credentials/],
  ['https://user@example.org/', /credentials/],
  ['http://example.org/', /https/],
  ['ftp://example.org/', /https/],
  ['https://example.org:8443/', /port 443/],
  ['https://example.org/#x', /fragment/],
  ['https://localhost/', /public host/],
  ['https://localhost./', /public host/],
  ['https://metadata/', /public host/],
  ['https://127.0.0.1/', /private/],
  ['https://2130706433/', /private/],
  ['https://0x7f.1/', /private/],
  ['https://0177.0.0.1/', /private/],
  ['https://169.254.169.254/latest/meta-data', /private/],
  ['https://[::1]/', /private/],
  ['https://[::ffff:10.0.0.1]/', /private/],
  ['https://[fd00::1]/', /private/],
  ['example.org/hook', /absolute/],
  ['', /absolute/],
  [`https://example.org/${'x'.repeat(2_048)}`, /2048/],
])('a webhook may not point to %s', (url, problem) => {
  expect(webhookUrlProblem(url, false)).toMatch(problem)
})

it.each(['https://example.org/', 'https://example.org:443/a?b=c', 'https://93.184.215.14/hook', 'https://hooks.b\u00fccher.example/x'])(
  'a webhook may point to %s',
  (url) => {
    expect(webhookUrlProblem(url, false)).toBeNull()
  },
)

it('with private addresses allowed, http, other ports and local names may be used, and still no credentials', () => {
  for (const url of ['http://127.0.0.1:3000/', 'https://localhost:8443/', 'http://receiver/'])
    expect(webhookUrlProblem(url, true)).toBeNull()
  expect(webhookUrlProblem('http://a:b@127.0.0.1/', true)).toMatch(/credentials/)
  expect(webhookUrlProblem('file:///etc/passwd', true)).toMatch(/https/)
})
