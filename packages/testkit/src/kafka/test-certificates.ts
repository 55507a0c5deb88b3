// Certificates for tests, made by openssl: an authority, a broker on 127.0.0.1, a client with an encrypted key, and a client of another authority.

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface TestCertificates {
  readonly caFile: string
  readonly certFile: string
  readonly keyFile: string
  readonly passphraseFile: string
  /** A certificate and a key that the broker's authority has not signed. */
  readonly strangerCertFile: string
  readonly strangerKeyFile: string
  /** Settings of a listener with TLS. */
  readonly listener: Readonly<Record<string, string>>
}

export function makeTestCertificates(folder: string): TestCertificates {
  const at = (name: string): string => join(folder, name)
  const openssl = (...options: string[]): void => void execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' })
  const authority = (name: string): void =>
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.pem`,
    )
  const signed = (name: string): void => {
    openssl('req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    writeFileSync(at('extensions'), 'subjectAltName=IP:127.0.0.1,DNS:localhost')
    const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'extensions']
    openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-days', '2', '-out', `${name}.pem`)
  }
  authority('ca')
  authority('stranger')
  signed('broker')
  signed('client')
  writeFileSync(at('passphrase'), 'open sesame\n')
  openssl('pkcs8', '-topk8', '-in', 'client.key', '-out', 'client.locked.key', '-passout', 'file:passphrase')
  const oneLine = (name: string): string => readFileSync(at(name), 'utf8').trim().replaceAll('\n', ' ')
  return {
    caFile: at('ca.pem'),
    certFile: at('client.pem'),
    keyFile: at('client.locked.key'),
    passphraseFile: at('passphrase'),
    strangerCertFile: at('stranger.pem'),
    strangerKeyFile: at('stranger.key'),
    listener: {
      'ssl.keystore.type': 'PEM',
      'ssl.keystore.key': oneLine('broker.key'),
      'ssl.keystore.certificate.chain': oneLine('broker.pem'),
      'ssl.truststore.type': 'PEM',
      'ssl.truststore.certificates': oneLine('ca.pem'),
    },
  }
}
