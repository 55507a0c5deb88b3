// Sentences of the OpenAPI document that belong to no single route.

export const API_DESCRIPTION = `Positions, history, activity and protocol data of DeFi on Stellar.

- **Credential**: an API key in the header \`x-service-api-key\` for data. Managing an organization takes an access token in
  \`authorization: Bearer\`; \`POST /v1/auth/login\` gives one. Neither replaces the other.
- **Envelope** of data: \`data\`, \`enrichment\` (every asset and contract named in \`data\`) and \`meta\` (the ledger, sources and completeness of the answer).
- **Values**: amounts are whole units of the asset, as decimal strings without exponent; names in \`_pct\` are percent, rates are fractions.
  Timestamps are UTC in seconds, ledgers are integers, assets are named by their token contract.
- **\`null\`** means that there is no value, and never stands for 0: no health factor without debt, no price at which something would happen, no USD
  value of what has no price (nor costs and gains made of such a value), no decimals of a token that states none, nothing in a bucket that \`fill=null\`
  shows, no next page. What can be null says so; everything else is always there.
- **Freshness**: everything up to \`meta.last_indexed_ledger\` is in the answer. \`meta.partial_result\` says when something is missing,
  \`meta.warnings\` what it is.
- **Positions older than the index**: where it begins after a deployment did, what an account has in a pool in which it did nothing since is
  read from a Stellar RPC, if there is one. Such items carry \`metadata.as_of_ledger\`, the ledger of its answer, \`meta.sources\` names
  \`soroban_rpc\`, and \`meta.partial_result\` is true. Only positions of now are read so: with \`as_of_ledger\` the index answers alone.
- **Refusals**: unknown and repeated query parameters are refused. Every error has a code of a closed list, says what to do and links to the
  page of its code in \`error.docs\`. What cannot be
  read as HTTP gets the same envelope, with 400, 408 (\`timeout\`), 413 or 431 (\`payload_too_large\`), and a closed connection.
- **Caching**: answers carry a weak \`ETag\`; \`If-None-Match\` gets 304. HEAD works where GET does.
- **Stability**: operations with \`x-stability: experimental\` may still change.`

export const ERROR_DESCRIPTIONS = {
  400: 'The request says something that cannot be answered.',
  401: 'The credential is missing, wrong, expired or revoked.',
  403: 'The API key lacks the scope of this endpoint.',
  404: 'The index does not know what the path names, or there is no such endpoint.',
  405: 'The endpoint is not asked with this method.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON.',
  429: 'The organization’s minute is used up, too many wrong credentials came from this address or for this account, or too many logins are waiting.',
  500: 'Our fault.',
  503: 'A part that the answer needs cannot be reached, or nothing is indexed yet.',
  504: 'The answer took too long and was given up.',
} as const

export interface ResponseHeader {
  readonly type: 'string' | 'integer'
  /** Whether each answer that lists it has it. */
  readonly required: boolean
  readonly description: string
}

export const RESPONSE_HEADERS: Readonly<Record<string, ResponseHeader>> = {
  'x-request-id': {
    type: 'string',
    required: true,
    description: 'Yours if it was `^[A-Za-z0-9._-]{1,128}$`, else ours. Tell it when you report a problem.',
  },
  etag: { type: 'string', required: true, description: 'Weak tag of the answer.' },
  'cache-control': {
    type: 'string',
    required: true,
    description: 'An hour for an answer as of an indexed ledger, otherwise a second; `no-store` for what is managed.',
  },
  'ratelimit-limit': { type: 'integer', required: true, description: 'Requests a minute of your organization.' },
  'ratelimit-remaining': { type: 'integer', required: true, description: 'Requests left in this minute.' },
  'ratelimit-reset': { type: 'integer', required: true, description: 'Seconds to the next minute.' },
  'ratelimit-policy': { type: 'string', required: true, description: 'Limit and window: `1200;w=60`.' },
  'retry-after': { type: 'integer', required: true, description: 'Seconds to wait.' },
  'www-authenticate': { type: 'string', required: true, description: 'The credential that is wanted.' },
  allow: { type: 'string', required: true, description: 'Methods that the endpoint knows.' },
}
